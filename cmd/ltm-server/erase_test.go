package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// chatting is a running server with an application, and the directory that has all of its files.
type chatting struct {
	*process
	t   *testing.T
	dir string
	db  string
	key string
}

func chat(t *testing.T) *chatting {
	dir := t.TempDir()
	return chatIn(t, dir, filepath.Join(dir, "ltm.db"))
}

// chatIn starts a server on a database whose files are in a directory.
func chatIn(t *testing.T, dir, db string, options ...string) *chatting {
	c := &chatting{t: t, dir: dir, db: db}
	command(t, "init", "--db", c.db)
	command(t, "app", "create", "notes", "--db", c.db)
	c.key = strings.TrimSpace(command(t, "key", "issue", "--app", "notes", "--db", c.db))
	c.process = start(t, serving(c.db, options...)...)
	return c
}

// request sends a request and returns the answer.
func (c *chatting) request(method, path, body string) map[string]any {
	c.t.Helper()
	a := ask(http.DefaultClient, method, c.url+"/v1/"+path, c.key, body, "Content-Type", "application/json")
	require.Equal(c.t, 2, a.status/100, "%s %s: %s", method, path, a.body)
	var answer map[string]any
	require.NoError(c.t, json.Unmarshal(a.body, &answer))
	return answer
}

// say adds a thread of a user with a text, and returns the ids of the thread and the event.
func (c *chatting) say(user, title, text string) (thread, event string) {
	c.t.Helper()
	made := c.request(http.MethodPost, "threads", fmt.Sprintf(`{"user_id":%q,"title":%q}`, user, title))
	thread = made["thread_id"].(string)
	event = c.request(http.MethodPost, "threads/"+thread+"/events",
		fmt.Sprintf(`{"actor":"user","content":%q,"meta":{"m":%[1]q}}`, text))["event_id"].(string)
	c.request(http.MethodPost, "threads/"+thread+"/events", fmt.Sprintf(`{"actor":"assistant","content":%q}`, text))
	return thread, event
}

// settled waits until all effects of an event are done.
func (c *chatting) settled(thread, event string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		effects := c.request(http.MethodGet, "threads/"+thread+"/events/"+event+"/effects", "")
		text := fmt.Sprint(effects)
		return !strings.Contains(text, "pending")
	}, time.Minute, 50*time.Millisecond)
}

// files returns the contents of all files of the server, its log among them.
func (c *chatting) files() []byte {
	c.t.Helper()
	all := []byte(c.log())
	require.NoError(c.t, filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all = append(all, data...)
		return err
	}))
	return all
}

// marked is a conversation with texts that are erased, each with a marker of its own, and one that is kept.
type marked struct {
	*chatting
	markers               map[string]string
	thread, event         string
	other, claim, theUser string
}

// text returns a text with a marker that becomes an event, a suggested claim and a part of an index.
func (m marked) text(what string) string {
	return "My name is " + m.markers[what] + ". I live in " + m.markers[what] + "."
}

// mark says the texts, and asks for each.
func (c *chatting) mark() marked {
	m := marked{chatting: c, markers: map[string]string{}}
	for _, what := range []string{"event", "thread", "claim", "user", "kept"} {
		m.markers[what] = "zq" + what + "marker"
	}
	m.theUser = m.markers["user"] + "-id"
	m.thread, m.event = c.say("ann", "talk", m.text("event"))
	c.settled(m.thread, m.event)
	other, in := c.say("ann", m.text("thread"), m.text("thread"))
	c.settled(other, in)
	m.other = other
	c.settled(c.say("ann", "talk", m.text("kept")))
	c.settled(c.say(m.theUser, m.text("user"), m.text("user")))
	m.claim = c.request(http.MethodPost, "claims", fmt.Sprintf(`{"user_id":"ann","bucket":"GOALS","text":%q}`,
		"Wants a "+m.markers["claim"]))["claim"].(map[string]any)["id"].(string)
	for _, marker := range m.markers {
		found := c.request(http.MethodPost, "retrieve", fmt.Sprintf(`{"user_id":"ann","query":%q}`, marker))
		require.NotNil(c.t, found)
	}
	return m
}

// erase deletes an event, a thread, a claim and a user.
func (m marked) erase() {
	m.request(http.MethodDelete, "threads/"+m.thread+"/events/"+m.event, "")
	messages := m.request(http.MethodGet, "threads/"+m.thread+"/events", "")["messages"].([]any)
	require.Len(m.t, messages, 1)
	m.request(http.MethodDelete, "threads/"+m.thread+"/events/"+messages[0].(map[string]any)["id"].(string), "")
	m.request(http.MethodDelete, "threads/"+m.other, "")
	m.request(http.MethodPost, "claims/"+m.claim+"/forget", `{"user_id":"ann"}`)
	m.request(http.MethodDelete, "users/"+m.theUser, "")
}

// requireGone checks that no file has the texts.
func (m marked) requireGone() {
	m.t.Helper()
	all := m.files()
	require.Contains(m.t, string(all), m.markers["kept"], "the test would see texts")
	for _, what := range []string{"event", "thread", "claim"} {
		require.Zero(m.t, bytes.Count(all, []byte(m.markers[what])), what)
	}
	require.Zero(m.t, bytes.Count(all, []byte("I live in "+m.markers["user"])))
}

// TestErasedTextsAreInNoFile deletes an event, a thread, a claim and a user while the server runs. After a purge no
// file has a word of them, and a backup from before does not bring them back.
func TestErasedTextsAreInNoFile(t *testing.T) {
	c := chat(t)
	m := c.mark()
	backup := filepath.Join(t.TempDir(), "before.backup")
	command(t, "backup", backup, "--db", c.db)
	m.erase()
	command(t, "purge", "--older-than", "0s", "--db", c.db)
	require.Zero(t, c.stop(t))
	m.requireGone()
	list, err := os.ReadFile(c.db + ".erasures")
	require.NoError(t, err)
	require.Contains(t, string(list), m.theUser, "it has ids")

	restored := filepath.Join(t.TempDir(), "restored.db")
	command(t, "restore", backup, "--db", restored, "--erasures", c.db+".erasures")
	export := command(t, "export", "-", "--app", "notes", "--db", restored)
	require.Contains(t, export, m.markers["kept"])
	for _, what := range []string{"event", "thread", "claim", "user"} {
		require.NotContains(t, export, "I live in "+m.markers[what], what)
	}
	require.NotContains(t, export, m.markers["claim"])
}

// TestErasedTextsAreInNoFileAfterAKill kills the server between an erasure and a purge: the next server sees to it
// after its start, and the one after that leaves the file alone.
func TestErasedTextsAreInNoFileAfterAKill(t *testing.T) {
	c := chat(t)
	m := c.mark()
	m.erase()
	c.kill()
	require.NotZero(t, bytes.Count(m.files(), []byte(m.markers["event"])), "the test would see it")
	c.process = start(t, serving(c.db)...)
	require.Eventually(t, func() bool { return c.number("SELECT state FROM removals") == 0 }, time.Minute,
		50*time.Millisecond)
	m.requireGone()
	const rewritings = "PRAGMA schema_version" // grows by one with each
	rewritten := c.number(rewritings)
	c.say("ann", "talk", "I keep a car.")
	c.kill()
	command(t, "purge", "--older-than", "30d", "--db", c.db)
	c.process = start(t, serving(c.db)...)
	c.settled(c.say("ann", "talk", "I keep a boat."))
	require.Zero(t, c.stop(t))
	require.Equal(t, rewritten, c.number(rewritings))
}

// number asks the file for a number.
func (c *chatting) number(question string) (n int) {
	c.t.Helper()
	db, err := sql.Open("sqlite", "file:"+c.db+"?_pragma=busy_timeout(5000)")
	require.NoError(c.t, err)
	defer func() { require.NoError(c.t, db.Close()) }()
	require.NoError(c.t, db.QueryRow(question).Scan(&n))
	return n
}

// TestErasedTextsAreInNoFileOfPostgres does the same in a cluster of its own: a purge rewrites the tables,
// and the log of changes goes when the administrator of the cluster lets it end.
func TestErasedTextsAreInNoFileOfPostgres(t *testing.T) {
	db := pgtest.New(t)
	conn, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	var dir string
	require.NoError(t, conn.QueryRow(t.Context(), "SHOW data_directory").Scan(&dir))
	if _, err := os.ReadDir(dir); err != nil {
		t.Skip("the files of LTM_TEST_POSTGRES are not to be read here: ", err)
	}
	do := func(statements ...string) {
		for _, statement := range statements {
			_, err := conn.Exec(context.WithoutCancel(t.Context()), statement) // also when the test has ended
			require.NoError(t, err, statement)
		}
	}
	do("ALTER SYSTEM SET wal_recycle = off", "SELECT pg_reload_conf()")
	t.Cleanup(func() { do("ALTER SYSTEM RESET wal_recycle", "SELECT pg_reload_conf()") })
	c := chatIn(t, dir, db, "--erasures", filepath.Join(t.TempDir(), "erasures"))
	m := c.mark()
	do("CHECKPOINT")
	require.Contains(t, string(m.files()), m.markers["event"], "the test would see it")
	m.erase()
	require.Zero(t, c.stop(t))
	command(t, "purge", "--older-than", "0s", "--rewrite", "--db", db)
	do("SELECT pg_switch_wal()", "CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT")
	m.requireGone()
	require.Contains(t, command(t, "check", "--db", db), "no problems")
}

// TestAnOlderCopyOfTheFileIsErasedAgain puts the file of yesterday in the place of the database, without a restore.
func TestAnOlderCopyOfTheFileIsErasedAgain(t *testing.T) {
	c := chat(t)
	_, event := c.say("ann", "talk", "I keep a zqmarker boat.")
	require.NotEmpty(t, event)
	c.say("ben", "talk", "I keep a car.")
	require.Zero(t, c.stop(t))
	yesterday, err := os.ReadFile(c.db)
	require.NoError(t, err)
	c.process = start(t, serving(c.db)...)
	c.request(http.MethodDelete, "users/ann", "")
	require.Zero(t, c.stop(t))
	require.NoError(t, os.WriteFile(c.db, yesterday, 0o600))
	for _, suffix := range []string{"-wal", "-shm"} {
		_ = os.Remove(c.db + suffix)
	}
	c.process = start(t, serving(c.db)...)
	require.Contains(t, c.log(), "an older copy of the database is in use")
	require.Zero(t, c.stop(t))
	require.NotContains(t, command(t, "export", "-", "--app", "notes", "--db", c.db), "zqmarker")
	c.process = start(t, serving(c.db)...)
	require.NotContains(t, c.log(), "an older copy")
	c.say("ann", "talk", "I am back.")
	require.Zero(t, c.stop(t))
	c.process = start(t, serving(c.db)...)
	require.NotContains(t, c.log(), "an older copy")
	require.Contains(t, command(t, "export", "-", "--app", "notes", "--db", c.db), "I am back.")
}

// TestErasuresAreNotedBeforeTheAnswer reads the list as soon as each deletion is answered.
func TestErasuresAreNotedBeforeTheAnswer(t *testing.T) {
	c := chat(t)
	noted := func(want string) {
		t.Helper()
		list, err := os.ReadFile(c.db + ".erasures")
		require.NoError(t, err)
		require.Contains(t, string(list), want)
	}
	for range 3 { // a look every two seconds would see one of them in time
		thread, event := c.say("ann", "one", "My bicycle is turquoise.")
		c.request(http.MethodDelete, "threads/"+thread+"/events/"+event, "")
		noted(event)
		c.request(http.MethodDelete, "threads/"+thread, "")
		noted(thread)
	}
	c.say("ann", "two", "My bicycle is red.")
	c.request(http.MethodDelete, "users/ann", "")
	noted(`"user":"ann","kind":"user"`)
}

// TestErasingNowLeavesNoBytes erases a user while nothing runs, and says when bytes go.
func TestErasingNowLeavesNoBytes(t *testing.T) {
	for _, now := range []bool{false, true} {
		c := chat(t)
		c.say("ann", "one", "The bicycle is vermilionturquoise.")
		c.stop(t)
		args := []string{"app", "erase-user", "ann", "--app", "notes", "--yes", "--db", c.db}
		if now {
			args = append(args, "--now")
		}
		status, _, said := call(t, map[string]string{"HOME": t.TempDir()}, args...)
		require.Equal(t, exitOK, status, said)
		require.Equal(t, !now, strings.Contains(said, "at the next purge, or at once with --now"), said)
		if now {
			require.NotContains(t, string(c.files()), "vermilionturquoise")
		}
	}
}
