"""The canonical store in SQL: schema, migrations, repositories."""
