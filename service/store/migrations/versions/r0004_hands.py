"""Blind rulings of two jurors, invitations, and what a person said of a page."""

from alembic import op
from sqlalchemy import JSON, Boolean, Column, false, inspect

from service.store.append_only import protect
from service.store.tables import blind_ruling, invitation

revision = "0004"
down_revision = "0003"


def _columns() -> tuple[Column, Column]:
    return (
        Column("manual", JSON),
        Column("aside", Boolean, nullable=False, default=False, server_default=false()),
    )


def upgrade() -> None:
    # A new database has all tables and columns from the first revision on.
    connection = op.get_bind()
    for table in (blind_ruling, invitation):
        table.create(connection, checkfirst=True)
    protect(connection, "blind_ruling")
    known = {column["name"] for column in inspect(connection).get_columns("page")}
    for column in _columns():
        if column.name not in known:
            op.add_column("page", column)
