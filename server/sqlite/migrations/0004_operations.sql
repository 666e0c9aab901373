-- +goose Up

-- Users whom the operator lets in no longer, with everything that is theirs kept. A table of its own: servers of the
-- version before go on beside it, and remove users.
CREATE TABLE disabled (
	user_id BLOB NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	at      INTEGER NOT NULL
) STRICT;

-- When something last succeeded. It is about this database, and not in a backup.
CREATE TABLE dones (
	name BLOB NOT NULL PRIMARY KEY,
	at   INTEGER NOT NULL
) STRICT;

-- What servers on one database have counted for their limits. name: a hash. due: when it is made up for. Nothing is lost
-- with it, and it is not in a backup.
CREATE TABLE rates (
	name BLOB NOT NULL PRIMARY KEY,
	due  INTEGER NOT NULL,
	cost INTEGER NOT NULL
) STRICT;
CREATE INDEX rates_due ON rates (due);
