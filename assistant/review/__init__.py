"""The decisions of people about matches: placing them on a report, making and undoing them, and handing them on."""
