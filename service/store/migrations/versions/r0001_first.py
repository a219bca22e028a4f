"""The first tables, and the triggers that keep the logs append-only."""

from alembic import op

from service.store.tables import metadata

revision = "0001"
down_revision = None

LOGS = ("journal", "ruling")


def upgrade() -> None:
    connection = op.get_bind()
    metadata.create_all(connection)
    for log in LOGS:
        if connection.dialect.name == "sqlite":
            for action in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER keep_{log}_{action.lower()} BEFORE {action} ON {log} "
                    f"BEGIN SELECT RAISE(ABORT, '{log} is append-only'); END"
                )
        else:
            op.execute(
                f"CREATE FUNCTION keep_{log}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{log} is append-only'; END $$"
            )
            op.execute(
                f"CREATE TRIGGER keep_{log} BEFORE UPDATE OR DELETE ON {log} "
                f"FOR EACH ROW EXECUTE FUNCTION keep_{log}()"
            )
