"""HTTP safety: request filters, connection limits, and fetching from the web."""
