"""Alembic's entry: runs on the connection that `Database.migrate` gives."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, render_as_batch=True)
# Database.migrate has begun the transaction and ends it.
context.run_migrations()
