-- +goose Up

-- Users whom the operator lets in no longer, with everything that is theirs kept. A table of its own: servers of the
-- version before go on beside it.
CREATE TABLE disabled (
	user_id BLOB NOT NULL PRIMARY KEY REFERENCES users (id),
	at      INTEGER NOT NULL
) STRICT;

-- When something last succeeded. It is about this database, and not in a backup.
CREATE TABLE dones (
	name BLOB NOT NULL PRIMARY KEY,
	at   INTEGER NOT NULL
) STRICT;
