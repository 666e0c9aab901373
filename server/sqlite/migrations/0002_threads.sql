-- +goose Up

-- What applications keep of their users. deleted: when the removal began, which goes on by steps. purged_xact and
-- purged_seq: the last place of the feed of which lines are missing.
CREATE TABLE apps (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	id       BLOB NOT NULL UNIQUE,
	name     BLOB NOT NULL,
	created  INTEGER NOT NULL,
	deleted  INTEGER,
	settings BLOB NOT NULL,
	purged_xact INTEGER NOT NULL DEFAULT 0,
	purged_seq  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX apps_name ON apps (name) WHERE deleted IS NULL;
CREATE INDEX apps_created ON apps (created, id) WHERE deleted IS NULL;
CREATE INDEX apps_deleted ON apps (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE app_keys (
	id      BLOB NOT NULL PRIMARY KEY,
	app     INTEGER NOT NULL REFERENCES apps (seq),
	name    BLOB NOT NULL,
	hash    BLOB NOT NULL UNIQUE,
	created INTEGER NOT NULL,
	expires INTEGER,
	revoked INTEGER,
	used    INTEGER
) STRICT;
CREATE INDEX app_keys_app ON app_keys (app, created, id);
CREATE INDEX app_keys_created ON app_keys (created, id);
CREATE INDEX app_keys_expires ON app_keys (expires) WHERE expires IS NOT NULL;
CREATE INDEX app_keys_revoked ON app_keys (revoked) WHERE revoked IS NOT NULL;

-- A subject is a user of an application: all rows below are of one. Its number is never given out again.
-- last: the number of its newest event, act or summary. pruned: the latest version of which the feed has lost lines.
-- imported: the number up to which events may be older than others before them, so that retention looks at all of them.
CREATE TABLE subjects (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	app     INTEGER NOT NULL REFERENCES apps (seq),
	name    BLOB NOT NULL,
	version INTEGER NOT NULL,
	last    INTEGER NOT NULL,
	pruned  INTEGER NOT NULL DEFAULT 0,
	imported INTEGER NOT NULL DEFAULT 0,
	UNIQUE (app, name)
) STRICT;

CREATE TABLE threads (
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	id      BLOB NOT NULL,
	agent   BLOB NOT NULL,
	title   BLOB NOT NULL,
	meta    BLOB NOT NULL,
	core    INTEGER,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	cursor  BLOB NOT NULL,
	PRIMARY KEY (app, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX threads_list ON threads (subject, created, id);
CREATE INDEX threads_agent ON threads (subject, agent, created, id);

-- In the order of a subject's own numbers, so that what is read together lies together.
CREATE TABLE events (
	app        INTEGER NOT NULL,
	subject    INTEGER NOT NULL,
	seq        INTEGER NOT NULL,
	id         BLOB NOT NULL,
	thread     BLOB NOT NULL,
	session    BLOB NOT NULL,
	role       BLOB NOT NULL,
	lang       BLOB NOT NULL,
	agent      BLOB NOT NULL,
	own_key    BLOB NOT NULL,
	importance INTEGER NOT NULL,
	unembedded INTEGER NOT NULL DEFAULT 0,
	occurred   INTEGER,
	recorded   INTEGER,
	meta       BLOB NOT NULL,
	body       BLOB NOT NULL,
	PRIMARY KEY (subject, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events_id ON events (app, id);
CREATE INDEX events_thread ON events (subject, thread, seq);
CREATE UNIQUE INDEX events_key ON events (subject, thread, own_key) WHERE own_key <> x'';

-- doc: the lines and terms of the episode, and what a model wrote.
CREATE TABLE summaries (
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	seq     INTEGER NOT NULL,
	id      BLOB NOT NULL,
	thread  BLOB NOT NULL,
	active  INTEGER NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	doc     BLOB NOT NULL,
	PRIMARY KEY (subject, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX summaries_id ON summaries (app, id);
CREATE UNIQUE INDEX summaries_active ON summaries (subject, thread) WHERE active = 1;
CREATE INDEX summaries_thread ON summaries (subject, thread, seq);

-- claim and other: the claims that an act is about, by the names that policies give them. event: what it was
-- taken from.
CREATE TABLE acts (
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	seq     INTEGER NOT NULL,
	id      BLOB NOT NULL,
	claim   BLOB NOT NULL,
	other   BLOB NOT NULL,
	event   BLOB NOT NULL,
	at      INTEGER,
	doc     BLOB NOT NULL,
	PRIMARY KEY (subject, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX acts_id ON acts (app, id);
CREATE INDEX acts_claim ON acts (subject, claim);
CREATE INDEX acts_other ON acts (subject, other) WHERE other <> x'';
CREATE INDEX acts_event ON acts (subject, event) WHERE event <> x'';

-- What follows from events and acts. policy: a hash of bucket and normalized text. doc: the text, its evidence,
-- when it was true.
CREATE TABLE claims (
	app        INTEGER NOT NULL,
	subject    INTEGER NOT NULL,
	id         BLOB NOT NULL,
	policy     BLOB NOT NULL,
	bucket     BLOB NOT NULL,
	state      BLOB NOT NULL,
	confidence REAL NOT NULL,
	reinforced INTEGER NOT NULL,
	expires    INTEGER,
	created    INTEGER NOT NULL,
	updated    INTEGER NOT NULL,
	doc        BLOB NOT NULL,
	PRIMARY KEY (app, id),
	UNIQUE (subject, policy)
) STRICT, WITHOUT ROWID;
CREATE INDEX claims_state ON claims (subject, state, bucket);
CREATE INDEX claims_expires ON claims (expires) WHERE expires IS NOT NULL;

CREATE TABLE reactions (
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	event   BLOB NOT NULL,
	thread  BLOB NOT NULL,
	name    BLOB NOT NULL,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	PRIMARY KEY (subject, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX reactions_thread ON reactions (subject, thread, updated, event);
CREATE INDEX reactions_list ON reactions (subject, updated, event);

-- digest: the SHA-256 of the text; v: numbers of 32 bits, the lowest byte first.
CREATE TABLE vectors (
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	kind    BLOB NOT NULL,
	id      BLOB NOT NULL,
	model   BLOB NOT NULL,
	digest  BLOB NOT NULL,
	v       BLOB NOT NULL,
	PRIMARY KEY (subject, kind, id, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_model ON vectors (model, subject, kind, id);

-- state: 0 pending, 1 done, 2 skipped, 3 failed.
CREATE TABLE jobs (
	seq       INTEGER PRIMARY KEY AUTOINCREMENT,
	app       INTEGER NOT NULL,
	subject   INTEGER NOT NULL,
	kind      BLOB NOT NULL,
	thread    BLOB NOT NULL,
	of_kind   BLOB NOT NULL,
	of_id     BLOB NOT NULL,
	cause     BLOB NOT NULL,
	state     INTEGER NOT NULL,
	attempts  INTEGER NOT NULL,
	reason    BLOB NOT NULL,
	created   INTEGER NOT NULL,
	run_at    INTEGER NOT NULL,
	done      INTEGER,
	lease     BLOB NOT NULL,
	leased_to INTEGER
) STRICT;
CREATE INDEX jobs_next ON jobs (kind, run_at, seq) WHERE state = 0;
CREATE INDEX jobs_cause ON jobs (subject, cause, seq);
CREATE INDEX jobs_of ON jobs (subject, of_kind, of_id);
CREATE INDEX jobs_thread ON jobs (subject, thread, kind, state, leased_to);
CREATE INDEX jobs_state ON jobs (state, kind, created);
CREATE INDEX jobs_done ON jobs (done) WHERE done IS NOT NULL;

-- The feed. version: of the subject, with the line. xact: the transaction that wrote a line, where transactions may end in another order than their
-- lines are numbered; a reader sees a line once all before it have ended.
CREATE TABLE changes (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	version INTEGER NOT NULL,
	xact    INTEGER NOT NULL DEFAULT 0,
	name    BLOB NOT NULL,
	kind    BLOB NOT NULL,
	id      BLOB NOT NULL,
	op      INTEGER NOT NULL,
	at      INTEGER NOT NULL
) STRICT;
CREATE INDEX changes_app ON changes (app, xact, seq);
CREATE INDEX changes_user ON changes (app, name, xact, seq);
CREATE INDEX changes_version ON changes (subject, version);
CREATE INDEX changes_at ON changes (at);

-- What was deleted for good, to delete it again from what a backup brings back. It holds ids alone.
CREATE TABLE erased (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	app     INTEGER NOT NULL,
	subject INTEGER NOT NULL,
	app_id  BLOB NOT NULL,
	name    BLOB NOT NULL,
	kind    BLOB NOT NULL,
	id      BLOB NOT NULL,
	at      INTEGER NOT NULL,
	UNIQUE (app_id, name, kind, id)
) STRICT;
CREATE INDEX erased_at ON erased (at, seq);

CREATE TABLE usages (
	app       INTEGER NOT NULL,
	day       BLOB NOT NULL,
	requests  INTEGER NOT NULL,
	input     INTEGER NOT NULL,
	output    INTEGER NOT NULL,
	estimated INTEGER NOT NULL,
	micros    INTEGER NOT NULL,
	PRIMARY KEY (app, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX usages_day ON usages (day, app);

-- What the file may have of rows that were removed. state: 0 nothing, as it was written anew after the last of them; 1
-- something; another is the number of a rewriting that began after the last of them. A file in which someone was ever
-- begins with 1: whoever was in it may be gone, and what is left of their texts not.
CREATE TABLE removals (
	state INTEGER NOT NULL
) STRICT;
INSERT INTO removals (state) SELECT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'scopes');

-- The name of this database, which the cursors of its feed have in them. What a dump is restored into has its own.
CREATE TABLE origins (
	id BLOB NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO origins (id) VALUES (randomblob(16));
