"""Traces of the handwriting network, from which boxes are checked against the key."""

from alembic import op

from service.store.tables import trace

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    # A new database has all tables from the first revision on.
    trace.create(op.get_bind(), checkfirst=True)
