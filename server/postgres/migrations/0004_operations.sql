-- +goose Up

-- Users whom the operator lets in no longer, with everything that is theirs kept. A table of its own: servers of the
-- version before go on beside it.
CREATE TABLE disabled (
	user_id bytea NOT NULL PRIMARY KEY REFERENCES users (id),
	at      bigint NOT NULL
);

-- When something last succeeded. It is about this database, and not in a backup.
CREATE TABLE dones (
	name bytea NOT NULL PRIMARY KEY,
	at   bigint NOT NULL
);
