"""Who saw which box, who is on which wall, and indexes for what one question needs."""

from alembic import op

from service.store.tables import box, claim, ruling, sighting, trace

revision = "0003"
down_revision = "0002"

INDEXES = ("ix_box_key", "ix_trace_key", "ix_ruling_box")


def upgrade() -> None:
    # A new database has all tables and indexes from the first revision on.
    connection = op.get_bind()
    for table in (sighting, claim):
        table.create(connection, checkfirst=True)
    for table in (box, trace, ruling):
        for index in table.indexes:
            if index.name in INDEXES:
                index.create(connection, checkfirst=True)
