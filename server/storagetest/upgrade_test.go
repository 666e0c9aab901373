package storagetest_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/conversation"
	"ltm/server/threads"
)

// A program to come adds columns and tables of its own to what this program knows. nextVersion is within the same
// generation of versions, and laterVersion begins another one.
const (
	nextVersion  = 999
	laterVersion = 1000
	nextSchema   = `ALTER TABLE users ADD COLUMN next integer;
		ALTER TABLE events ADD COLUMN next integer NOT NULL DEFAULT 7;
		CREATE INDEX users_next ON users (next);
		CREATE TABLE next (user_id %s NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE);
		CREATE TABLE seen (n integer NOT NULL CHECK (n = 1));`
)

// advance migrates a database as a program to come does.
func advance(t *testing.T, d database, version int64) {
	t.Helper()
	bytes := "bytea"
	if _, file := d.(sqliteFile); file {
		bytes = "BLOB"
	}
	statements := fmt.Sprintf(nextSchema, bytes)
	d.migrate(t, version, map[int64]string{nextVersion: statements, laterVersion: "DROP TABLE next;"})
}

// TestUpgradeOfSeveralServers has servers of this version at work while the next version migrates their database and
// writes into it, then restarts one of them, which is the way back, and goes forth again.
func TestUpgradeOfSeveralServers(t *testing.T) {
	onEach(t, func(t *testing.T, empty fresh) {
		d := empty(t)
		w := newWorld(t, d)
		ann, gone := w.person(t, "ann"), w.person(t, "gone")
		w.put(t, packet(ann, "", "before", "one"))
		app := &place{Storage: opened(t, d).Threads(), ctx: t.Context()}
		require.NoError(t, app.CreateApp(app.ctx, threads.App{ID: "app-one", Name: "one", CreatedAt: start}))
		app.filled(t, threads.Subject{App: "app-one", User: "u"}, 1, 1, 2, 3)

		advance(t, d, nextVersion)
		annID, goneID := fmt.Sprintf("'%s'", ann.ID), fmt.Sprintf("'%s'", gone.ID)
		if _, file := d.(sqliteFile); file {
			annID, goneID = fmt.Sprintf("X'%x'", ann.ID), fmt.Sprintf("X'%x'", gone.ID)
		}
		d.exec(t, "UPDATE users SET next = 5 WHERE id = "+annID, "INSERT INTO next (user_id) VALUES ("+annID+")",
			"INSERT INTO next (user_id) VALUES ("+goneID+")")

		uses := func(w *world, of threads.Storage, n int) {
			require.NoError(t, w.Ping(w.ctx))
			require.NoError(t, w.DisableUser(w.ctx, ann.ID, true, after(n)))
			require.NoError(t, w.DisableUser(w.ctx, ann.ID, false, after(n+1)))
			w.put(t, packet(ann, "", fmt.Sprint("after ", n), "two"))
			require.Equal(t, "one", w.body(t, ann, "before"))
			p := &place{Storage: of, ctx: t.Context()}
			p.filled(t, threads.Subject{App: "app-one", User: "u"}, n, n, n+1, n+2)
			require.NoError(t, p.View(p.ctx, threads.Subject{App: "app-one", User: "u"}, func(v threads.View) error {
				events, err := v.Events(threads.EventQuery{})
				require.Len(t, events, 3+3*n/10)
				require.Equal(t, conversation.User, events[0].Role)
				return err
			}))
		}
		uses(w, app.Storage, 10)
		require.NoError(t, w.DeleteUser(w.ctx, gone.ID, after(1)))
		_, err := w.Purge(w.ctx, after(100))
		require.NoError(t, err, "what the next version knows of a user does not keep this one from removing them")

		restarted := opened(t, d)
		uses(&world{Storage: restarted, ctx: t.Context()}, restarted.Threads(), 20)
		require.ErrorIs(t, restarted.Dump(t.Context(), io.Discard), server.ErrNewer, "it would lack what is new")
		advance(t, d, nextVersion)
		d.exec(t, "INSERT INTO seen SELECT count(*) FROM users WHERE next = 5",
			"INSERT INTO seen SELECT count(*) FROM next",
			"INSERT INTO seen SELECT CASE WHEN count(*) = 9 THEN 1 ELSE 0 END FROM events WHERE next = 7")

		advance(t, d, laterVersion)
		for _, s := range []server.Storage{w, restarted} {
			require.ErrorIs(t, s.Ping(t.Context()), server.ErrAway)
			require.ErrorContains(t, s.Ping(t.Context()), "version 1000")
		}
		_, err = d.open(t.Context())
		require.ErrorIs(t, err, server.ErrNewer)
	})
}

// TestMigrationsAdd: within a generation, a migration changes nothing that the programs before know, and what refers to
// their rows goes with them.
func TestMigrationsAdd(t *testing.T) {
	changes := regexp.MustCompile(`(?i)\b(DROP|RENAME|ALTER COLUMN|UPDATE|DELETE FROM|TRUNCATE)\b`)
	refers := regexp.MustCompile(`REFERENCES (\w+) \(\w+\)( ON DELETE CASCADE)?`)
	for _, pkg := range []string{"sqlite", "postgres"} {
		names, err := filepath.Glob(filepath.Join("..", pkg, "migrations", "0???_*.sql"))
		require.NoError(t, err)
		require.Greater(t, len(names), 1)
		for _, name := range names[1:] {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			for line := range strings.Lines(string(data)) {
				statement, _, _ := strings.Cut(line, "--")
				require.Empty(t, changes.FindString(statement), "%s: %s", name, line)
				require.False(t, strings.Contains(statement, "ADD COLUMN") && strings.Contains(statement, "NOT NULL") &&
					!strings.Contains(statement, "DEFAULT"), "%s: %s", name, line)
				for _, r := range refers.FindAllStringSubmatch(statement, -1) {
					own := strings.Contains(string(data), "CREATE TABLE "+r[1]+" (")
					require.True(t, own || r[2] != "", "%s: %s", name, line)
				}
			}
		}
	}
}
