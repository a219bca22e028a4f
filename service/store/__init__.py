"""The event's database: its tables, migrations and connections."""
