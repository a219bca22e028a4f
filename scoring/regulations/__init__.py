"""Real regulations as data, one TOML file each; the festival's is the default of an event."""
