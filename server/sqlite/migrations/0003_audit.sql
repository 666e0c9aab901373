-- +goose Up

-- The audit log: who did what to which thing, in ids. within: the team, user or application that it belongs to.
CREATE TABLE audit (
	seq    INTEGER PRIMARY KEY AUTOINCREMENT,
	at     INTEGER NOT NULL,
	actor  BLOB NOT NULL,
	act    BLOB NOT NULL,
	id     BLOB NOT NULL,
	within BLOB NOT NULL
) STRICT;
