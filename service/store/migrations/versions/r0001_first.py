"""The first tables, and the triggers that keep the logs append-only."""

from alembic import op

from service.store.append_only import protect
from service.store.tables import metadata

revision = "0001"
down_revision = None

LOGS = ("journal", "ruling")


def upgrade() -> None:
    connection = op.get_bind()
    metadata.create_all(connection)
    for log in LOGS:
        protect(connection, log)
