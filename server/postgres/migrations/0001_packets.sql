-- +goose Up

-- A scope is what a user or a team keeps packets in. Its number is never given out again.
CREATE TABLE scopes (
	seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	packets bigint NOT NULL,
	bytes   bigint NOT NULL,
	deleted bigint
);
CREATE INDEX scopes_deleted ON scopes (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE users (
	id      bytea NOT NULL PRIMARY KEY,
	scope   bigint NOT NULL UNIQUE REFERENCES scopes (seq),
	name    bytea NOT NULL,
	email   bytea NOT NULL,
	display bytea NOT NULL,
	created bigint NOT NULL,
	deleted bigint
);
CREATE UNIQUE INDEX users_name ON users (name) WHERE deleted IS NULL AND name <> ''::bytea;
CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted IS NULL AND email <> ''::bytea;
CREATE INDEX users_created ON users (created, id) WHERE deleted IS NULL;
CREATE INDEX users_deleted ON users (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE tokens (
	id      bytea NOT NULL PRIMARY KEY,
	user_id bytea NOT NULL REFERENCES users (id),
	name    bytea NOT NULL,
	hash    bytea NOT NULL UNIQUE,
	created bigint NOT NULL,
	expires bigint,
	revoked bigint,
	used    bigint
);
CREATE INDEX tokens_user ON tokens (user_id, created, id);
CREATE INDEX tokens_created ON tokens (created, id);
CREATE INDEX tokens_expires ON tokens (expires) WHERE expires IS NOT NULL;
CREATE INDEX tokens_revoked ON tokens (revoked) WHERE revoked IS NOT NULL;

CREATE TABLE teams (
	id       bytea NOT NULL PRIMARY KEY,
	scope    bigint NOT NULL UNIQUE REFERENCES scopes (seq),
	name     bytea NOT NULL,
	owner_id bytea NOT NULL REFERENCES users (id),
	created  bigint NOT NULL,
	deleted  bigint
);
CREATE UNIQUE INDEX teams_name ON teams (name) WHERE deleted IS NULL;
CREATE INDEX teams_owner ON teams (owner_id);
CREATE INDEX teams_deleted ON teams (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE members (
	team_id bytea NOT NULL REFERENCES teams (id),
	user_id bytea NOT NULL REFERENCES users (id),
	joined  bigint NOT NULL,
	PRIMARY KEY (team_id, user_id)
);
CREATE INDEX members_user ON members (user_id);

-- closed: when it was used or revoked.
CREATE TABLE invites (
	id         bytea NOT NULL PRIMARY KEY,
	team_id    bytea NOT NULL REFERENCES teams (id),
	hash       bytea NOT NULL UNIQUE,
	created_by bytea NOT NULL,
	created    bigint NOT NULL,
	expires    bigint NOT NULL,
	closed     bigint
);
CREATE INDEX invites_team ON invites (team_id, created, id);
CREATE INDEX invites_by ON invites (created_by);
CREATE INDEX invites_expires ON invites (expires);
CREATE INDEX invites_closed ON invites (closed) WHERE closed IS NOT NULL;

-- A deleted packet keeps its id and its author alone. terms: of 12 bytes each, see the table below.
CREATE TABLE packets (
	seq       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	scope     bigint NOT NULL,
	id        bytea NOT NULL,
	author_id bytea NOT NULL,
	parent    bytea NOT NULL,
	version   bytea NOT NULL,
	goal      bytea NOT NULL,
	project   bytea NOT NULL,
	tags      bytea NOT NULL,
	created   bigint NOT NULL,
	stored    bigint NOT NULL,
	deleted   bigint,
	terms     bytea NOT NULL,
	body      bytea NOT NULL,
	UNIQUE (id, scope)
);
CREATE INDEX packets_list ON packets (scope, created, id) WHERE deleted IS NULL;
CREATE INDEX packets_deleted ON packets (deleted) WHERE deleted IS NOT NULL;

-- What lists are filtered by, in the order of the list: the first 12 bytes of the SHA-256 of a letter
-- (w, t, p, c) and a word, tag, project or parent.
CREATE TABLE terms (
	scope   bigint NOT NULL,
	term    bytea NOT NULL,
	created bigint NOT NULL,
	id      bytea NOT NULL,
	PRIMARY KEY (scope, term, created, id)
);

-- state: 0 waits, 1 approved, 2 denied, 3 taken.
CREATE TABLE devices (
	id        bytea NOT NULL PRIMARY KEY,
	hash      bytea NOT NULL UNIQUE,
	user_code bytea NOT NULL,
	name      bytea NOT NULL,
	user_id   bytea NOT NULL,
	created   bigint NOT NULL,
	expires   bigint NOT NULL,
	polled    bigint,
	state     bigint NOT NULL
);
CREATE UNIQUE INDEX devices_waiting ON devices (user_code) WHERE state = 0;
CREATE INDEX devices_expires ON devices (expires);

-- Answers to requests with an idempotency key; status is NULL until there is one.
CREATE TABLE answers (
	user_id bytea NOT NULL,
	name    bytea NOT NULL,
	request bytea NOT NULL,
	began   bigint NOT NULL,
	status  bigint,
	header  bytea,
	body    bytea,
	PRIMARY KEY (user_id, name)
);
CREATE INDEX answers_began ON answers (began);
