"""The history of the schema, one file per change; run by `adapters.sql.migrate`."""
