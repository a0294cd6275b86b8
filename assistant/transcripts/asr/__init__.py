"""JSON that speech recognisers and transcript editors write: one small reader per schema, recognised by its keys."""
