"""Vector indexes: projections of SQL that can be deleted and rebuilt at any time."""
