package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	c := &chatting{t: t, dir: t.TempDir()}
	c.db = filepath.Join(c.dir, "ltm.db")
	command(t, "init", "--db", c.db)
	command(t, "app", "create", "notes", "--db", c.db)
	c.key = strings.TrimSpace(command(t, "key", "issue", "--app", "notes", "--db", c.db))
	c.process = start(t, serving(c.db)...)
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

// TestErasedTextsAreInNoFile deletes an event, a thread, a claim and a user while the server runs. After a purge no
// file has a word of them, and a backup from before does not bring them back.
func TestErasedTextsAreInNoFile(t *testing.T) {
	c := chat(t)
	markers := map[string]string{}
	for _, what := range []string{"event", "thread", "claim", "user", "kept"} {
		markers[what] = "zq" + what + "marker"
	}
	name := func(what string) string { return "My name is " + markers[what] + ". I live in " + markers[what] + "." }
	thread, event := c.say("ann", "talk", name("event"))
	c.settled(thread, event)
	other, in := c.say("ann", name("thread"), name("thread"))
	c.settled(other, in)
	kept, last := c.say("ann", "talk", name("kept"))
	c.settled(kept, last)
	theirs, said := c.say(markers["user"]+"-id", name("user"), name("user"))
	c.settled(theirs, said)
	claim := c.request(http.MethodPost, "claims", fmt.Sprintf(`{"user_id":"ann","bucket":"GOALS","text":%q}`,
		"Wants a "+markers["claim"]))["claim"].(map[string]any)["id"].(string)
	for _, marker := range markers {
		found := c.request(http.MethodPost, "retrieve", fmt.Sprintf(`{"user_id":"ann","query":%q}`, marker))
		require.NotNil(t, found)
	}
	backup := filepath.Join(t.TempDir(), "before.backup")
	command(t, "backup", backup, "--db", c.db)

	c.request(http.MethodDelete, "threads/"+thread+"/events/"+event, "")
	messages := c.request(http.MethodGet, "threads/"+thread+"/events", "")["messages"].([]any)
	require.Len(t, messages, 1)
	c.request(http.MethodDelete, "threads/"+thread+"/events/"+messages[0].(map[string]any)["id"].(string), "")
	c.request(http.MethodDelete, "threads/"+other, "")
	c.request(http.MethodPost, "claims/"+claim+"/forget", `{"user_id":"ann"}`)
	c.request(http.MethodDelete, "users/"+markers["user"]+"-id", "")
	command(t, "purge", "--older-than", "0s", "--db", c.db)
	require.Zero(t, c.stop(t))
	all := c.files()
	require.Contains(t, string(all), markers["kept"], "the test would see texts")
	for _, what := range []string{"event", "thread", "claim"} {
		require.Zero(t, bytes.Count(all, []byte(markers[what])), what)
	}
	require.Zero(t, bytes.Count(all, []byte("I live in "+markers["user"])))
	list, err := os.ReadFile(c.db + ".erasures")
	require.NoError(t, err)
	require.Contains(t, string(list), markers["user"]+"-id", "it has ids")

	restored := filepath.Join(t.TempDir(), "restored.db")
	command(t, "restore", backup, "--db", restored, "--erasures", c.db+".erasures")
	export := command(t, "export", "-", "--app", "notes", "--db", restored)
	require.Contains(t, export, markers["kept"])
	for _, what := range []string{"event", "thread", "claim", "user"} {
		require.NotContains(t, export, "I live in "+markers[what], what)
	}
	require.NotContains(t, export, markers["claim"])
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
