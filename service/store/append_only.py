"""Triggers that refuse to change or delete the rows of a log."""

from __future__ import annotations

from sqlalchemy import Connection, text


def protect(connection: Connection, log: str) -> None:
    """Let rows only be added to a table, on SQLite or PostgreSQL."""
    if connection.dialect.name == "sqlite":
        for action in ("UPDATE", "DELETE"):
            connection.execute(
                text(
                    f"CREATE TRIGGER keep_{log}_{action.lower()} BEFORE {action} ON {log} "
                    f"BEGIN SELECT RAISE(ABORT, '{log} is append-only'); END"
                )
            )
        return
    connection.execute(
        text(
            f"CREATE FUNCTION keep_{log}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{log} is append-only'; END $$"
        )
    )
    connection.execute(
        text(
            f"CREATE TRIGGER keep_{log} BEFORE UPDATE OR DELETE ON {log} "
            f"FOR EACH ROW EXECUTE FUNCTION keep_{log}()"
        )
    )
