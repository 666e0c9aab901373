-- +goose Up

-- A scope is what a user or a team keeps packets in. Its number is never given out again.
CREATE TABLE scopes (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	packets INTEGER NOT NULL,
	bytes   INTEGER NOT NULL,
	deleted INTEGER
) STRICT;
CREATE INDEX scopes_deleted ON scopes (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE users (
	id      BLOB NOT NULL PRIMARY KEY,
	scope   INTEGER NOT NULL UNIQUE REFERENCES scopes (seq),
	name    BLOB NOT NULL,
	email   BLOB NOT NULL,
	display BLOB NOT NULL,
	created INTEGER NOT NULL,
	deleted INTEGER
) STRICT;
CREATE UNIQUE INDEX users_name ON users (name) WHERE deleted IS NULL AND name <> x'';
CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted IS NULL AND email <> x'';
CREATE INDEX users_created ON users (created, id) WHERE deleted IS NULL;
CREATE INDEX users_deleted ON users (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE tokens (
	id      BLOB NOT NULL PRIMARY KEY,
	user_id BLOB NOT NULL REFERENCES users (id),
	name    BLOB NOT NULL,
	hash    BLOB NOT NULL UNIQUE,
	created INTEGER NOT NULL,
	expires INTEGER,
	revoked INTEGER,
	used    INTEGER
) STRICT;
CREATE INDEX tokens_user ON tokens (user_id, created, id);
CREATE INDEX tokens_created ON tokens (created, id);
CREATE INDEX tokens_expires ON tokens (expires) WHERE expires IS NOT NULL;
CREATE INDEX tokens_revoked ON tokens (revoked) WHERE revoked IS NOT NULL;

CREATE TABLE teams (
	id       BLOB NOT NULL PRIMARY KEY,
	scope    INTEGER NOT NULL UNIQUE REFERENCES scopes (seq),
	name     BLOB NOT NULL,
	owner_id BLOB NOT NULL REFERENCES users (id),
	created  INTEGER NOT NULL,
	deleted  INTEGER
) STRICT;
CREATE UNIQUE INDEX teams_name ON teams (name) WHERE deleted IS NULL;
CREATE INDEX teams_owner ON teams (owner_id);
CREATE INDEX teams_deleted ON teams (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE members (
	team_id BLOB NOT NULL REFERENCES teams (id),
	user_id BLOB NOT NULL REFERENCES users (id),
	joined  INTEGER NOT NULL,
	PRIMARY KEY (team_id, user_id)
) STRICT;
CREATE INDEX members_user ON members (user_id);

-- closed: when it was used or revoked.
CREATE TABLE invites (
	id         BLOB NOT NULL PRIMARY KEY,
	team_id    BLOB NOT NULL REFERENCES teams (id),
	hash       BLOB NOT NULL UNIQUE,
	created_by BLOB NOT NULL,
	created    INTEGER NOT NULL,
	expires    INTEGER NOT NULL,
	closed     INTEGER
) STRICT;
CREATE INDEX invites_team ON invites (team_id, created, id);
CREATE INDEX invites_by ON invites (created_by);
CREATE INDEX invites_expires ON invites (expires);
CREATE INDEX invites_closed ON invites (closed) WHERE closed IS NOT NULL;

-- A deleted packet keeps its id and its author alone. terms: of 12 bytes each, see the table below.
-- The body comes last, since SQLite reads a long row from its beginning.
CREATE TABLE packets (
	seq       INTEGER PRIMARY KEY AUTOINCREMENT,
	scope     INTEGER NOT NULL,
	id        BLOB NOT NULL,
	author_id BLOB NOT NULL,
	parent    BLOB NOT NULL,
	version   BLOB NOT NULL,
	goal      BLOB NOT NULL,
	project   BLOB NOT NULL,
	tags      BLOB NOT NULL,
	created   INTEGER NOT NULL,
	stored    INTEGER NOT NULL,
	deleted   INTEGER,
	terms     BLOB NOT NULL,
	body      BLOB NOT NULL,
	UNIQUE (id, scope)
) STRICT;
CREATE INDEX packets_list ON packets (scope, created, id) WHERE deleted IS NULL;
CREATE INDEX packets_deleted ON packets (deleted) WHERE deleted IS NOT NULL;

-- What lists are filtered by, in the order of the list: the first 12 bytes of the SHA-256 of a letter
-- (w, t, p, c) and a word, tag, project or parent.
CREATE TABLE terms (
	scope   INTEGER NOT NULL,
	term    BLOB NOT NULL,
	created INTEGER NOT NULL,
	id      BLOB NOT NULL,
	PRIMARY KEY (scope, term, created, id)
) STRICT, WITHOUT ROWID;

-- state: 0 waits, 1 approved, 2 denied, 3 taken.
CREATE TABLE devices (
	id        BLOB NOT NULL PRIMARY KEY,
	hash      BLOB NOT NULL UNIQUE,
	user_code BLOB NOT NULL,
	name      BLOB NOT NULL,
	user_id   BLOB NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	polled    INTEGER,
	state     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX devices_waiting ON devices (user_code) WHERE state = 0;
CREATE INDEX devices_expires ON devices (expires);

-- Answers to requests with an idempotency key; status is NULL until there is one.
CREATE TABLE answers (
	user_id BLOB NOT NULL,
	name    BLOB NOT NULL,
	request BLOB NOT NULL,
	began   INTEGER NOT NULL,
	status  INTEGER,
	header  BLOB,
	body    BLOB,
	PRIMARY KEY (user_id, name)
) STRICT;
CREATE INDEX answers_began ON answers (began);
