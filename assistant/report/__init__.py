"""The view of a report that the app, the report forms, the review and the archive share."""
