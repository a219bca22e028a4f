"""The tables of an event.

What people entered is append-only and kept for ever: `journal`, `ruling`, `blind_ruling`; triggers
refuse to change or delete a row. `file`, `page`, `box`, `trace` can be made again from the originals.
`sighting` belongs to the rulings: it tells who saw what they ruled on. `claim`, `account`, `session`,
`invitation` are about who is here now.
Timestamps are UTC seconds.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

# Every constraint has a name, so that a migration can change it on any database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# Everything entered but rulings: roster, key, regulation, geometry, sheets given to players, choices.
journal = Table(
    "journal",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("who", String(120), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("payload", JSON, nullable=False),
    Column("why", Text, nullable=False, default=""),
    Index("ix_journal_kind", "kind", "id"),
)

# One row says what one person ruled of one box at one time; `verdict` NULL takes a ruling back.
ruling = Table(
    "ruling",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("batch", String(40), nullable=False),
    Column("at", Float, nullable=False),
    Column("who", String(120), nullable=False),
    Column("sheet", String(12), nullable=False),
    Column("box", String(12), nullable=False),
    Column("verdict", String(12)),
    Column("supersedes", Integer, ForeignKey("ruling.id")),
    Column("why", Text, nullable=False, default=""),
    # Where the ruling came from: a wall's key such as t3r5, or `file`.
    Column("origin", String(40), nullable=False, default=""),
    # The entry that an undo brings back, and the batch that it takes back; see jury.ledger.
    Column("restores", Integer, ForeignKey("ruling.id")),
    Column("undoes", String(40), nullable=False, default=""),
    Index("ix_ruling_sheet_box", "sheet", "box", "id"),
    Index("ix_ruling_batch", "batch"),
    # For what is ruled on one question: of 12,000 rulings a wall needs 300.
    Index("ix_ruling_box", "box", "sheet", "id"),
)

# What one of two jurors ruled without seeing the other; see service.double. Becomes a ruling when both have.
blind_ruling = Table(
    "blind_ruling",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("batch", String(40), nullable=False),
    Column("at", Float, nullable=False),
    Column("who", String(120), nullable=False),
    Column("sheet", String(12), nullable=False),
    Column("box", String(12), nullable=False),
    # The picture that was ruled on, not a foreign key: a rebuild makes pages anew.
    Column("page_id", Integer, nullable=False),
    # NULL takes it back.
    Column("verdict", String(12)),
    Column("why", Text, nullable=False, default=""),
    Index("ix_blind_ruling_box", "box", "sheet", "id"),
)

file = Table(
    "file",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("name", String(400), nullable=False),
    Column("size", Integer, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("state", String(12), nullable=False),
    Column("taken_at", Float, nullable=False),
    UniqueConstraint("sha256"),
)

page = Table(
    "page",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file_id", Integer, ForeignKey("file.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # from 1, as people count
    Column("state", String(12), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    # When the page was read first; a rebuild keeps it, so that it decides as was decided then.
    Column("done_at", Float),
    Column("outcome", String(12)),
    Column("reason", String(24), nullable=False, default=""),
    Column("detail", Text, nullable=False, default=""),
    Column("blank", String(24), nullable=False, default=""),
    Column("sheet", String(12)),
    # The page that counts for the same sheet, if this one is a duplicate.
    Column("duplicate_of", Integer, ForeignKey("page.id", ondelete="SET NULL")),
    # Boxes in which two scans of one sheet disagree about there being an answer.
    Column("differs", JSON, nullable=False, default=list),
    Column("residual", Float, nullable=False, default=0.0),
    Column("dpi", Float, nullable=False, default=0.0),
    Column("turned", Float, nullable=False, default=0.0),
    Column("sharpness", Float, nullable=False, default=0.0),
    Column("warnings", JSON, nullable=False, default=list),
    # What a person said of the page so that it can be read: {"turn": 180} or {"corners": [[x, y], ...]}.
    Column("manual", JSON),
    # A person has looked and put the page away: it waits for nobody.
    Column("aside", Boolean, nullable=False, default=False, server_default=false()),
    # The blob that holds the page's crops and thumbnail one after the other.
    Column("pack", String(120), nullable=False, default=""),
    Column("thumbnail_size", Integer, nullable=False, default=0),
    UniqueConstraint("file_id", "number"),
    Index("ix_page_sheet", "sheet"),
)

box = Table(
    "box",
    metadata,
    Column("page_id", Integer, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(12), primary_key=True),
    Column("ink", String(12), nullable=False),
    Column("sure", Boolean, nullable=False),
    Column("darkness", Float, nullable=False),
    Column("text", Text),
    Column("confidence", Float),
    Column("start", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    # Holds all that counting needs.
    Index("ix_box_key", "key", "ink", "page_id"),
)

# What the handwriting network left of a written box, and how well the forms of the key fit it. `made_for`
# tells which forms: see service.verification. Apart from `box`, since `data` is some 2 kB.
trace = Table(
    "trace",
    metadata,
    Column("page_id", Integer, primary_key=True),
    Column("key", String(12), primary_key=True),
    Column("made_for", String(16), nullable=False),
    Column("matches", JSON, nullable=False),
    Column("data", LargeBinary, nullable=False),
    ForeignKeyConstraint(["page_id", "key"], ["box.page_id", "box.key"], ondelete="CASCADE"),
    # Without it a wall reads every trace of the event, 25 MB of them.
    Index("ix_trace_key", "key"),
)

# Who had the picture of a box on the screen for long enough; see service.sightings. By page, not by sheet:
# another scan of a sheet is another picture and is seen anew.
sighting = Table(
    "sighting",
    metadata,
    Column("page_id", Integer, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True),
    Column("box", String(12), primary_key=True),
    Column("who", String(120), primary_key=True),
    Column("at", Float, nullable=False),
    Index("ix_sighting_box", "box", "who"),
)

# Who works on which wall, named by the key of its box; see service.claims.
claim = Table(
    "claim",
    metadata,
    Column("box", String(12), primary_key=True),
    Column("account_id", Integer, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("expires_at", Float, nullable=False),
)

account = Table(
    "account",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(120), nullable=False),
    Column("role", String(24), nullable=False),
    Column("secret_hash", String(200), nullable=False),
    Column("active", Boolean, nullable=False),
    Column("created_at", Float, nullable=False),
    UniqueConstraint("name"),
)

# Sessions live on the server, so that they can be ended; only a hash of the cookie is kept.
session = Table(
    "session",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", Integer, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
)

# A link that lets somebody open an account once, or sign in to one; only a hash of its token is kept.
invitation = Table(
    "invitation",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token_hash", String(64), nullable=False),
    Column("role", String(24), nullable=False),
    Column("name", String(120), nullable=False),
    Column("made_by", String(120), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("used_at", Float),
    Column("withdrawn_at", Float),
    Column("account_id", Integer, ForeignKey("account.id", ondelete="SET NULL")),
    UniqueConstraint("token_hash"),
)
