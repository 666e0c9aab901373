-- +goose Up

-- Users whom the operator lets in no longer, with everything that is theirs kept. A table of its own: servers of the
-- version before go on beside it, and remove users.
CREATE TABLE disabled (
	user_id bytea NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	at      bigint NOT NULL
);

-- When something last succeeded. It is about this database, and not in a backup.
CREATE TABLE dones (
	name bytea NOT NULL PRIMARY KEY,
	at   bigint NOT NULL
);

-- What servers on one database have counted for their limits. name: a hash. due: when it is made up for. Nothing is lost
-- with it, and it is not in a backup.
CREATE UNLOGGED TABLE rates (
	name bytea NOT NULL PRIMARY KEY,
	due  bigint NOT NULL,
	cost bigint NOT NULL
);
CREATE INDEX rates_due ON rates (due);
