"""Alembic's environment: runs the revisions on the connection that `adapters.sql.migrate` hands over."""

from alembic import context

from fundstelle.adapters.sql.schema import metadata


def run() -> None:
    """Run the revisions within the caller's transaction."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run()
