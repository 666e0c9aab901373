package threads_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// lived returns a world in which two users of an application have done what can be done.
func lived(t *testing.T) *world {
	w := newWorld(t, threads.Models{})
	first, second := w.thread(), w.thread()
	said := w.say(first, "My name is Ann & I live in Rome <b>.", "< Noted.", "Naïve “quotes”\n\tand 日本語",
		"< Fine.")
	w.say(first, talk("boat", 14)...)
	w.say(second, talk("garden", 3)...)
	w.drain()
	_, err := w.CreateThread(w.ctx, w.user, threads.NewThread{Title: "empty", Agent: "clerk",
		Meta: threads.Meta("{ \"b\": 1.0,\n\"a\": \"<\" }")})
	require.NoError(t, err)
	_, err = w.AddEvents(w.ctx, w.user, second, []threads.NewEvent{{Role: conversation.User, Text: "keyed",
		Meta: threads.Meta(`{"topic":"x","n":1e3}`), Key: "k", Session: "s", Lang: "de-AT", Agent: "ann"}})
	require.NoError(t, err)
	w.state("I live in Rome", said[0])
	w.state("I live in Turin", "")
	w.state("I like tea", "")
	w.act(conversation.Supersedes, "I live in Rome", "I live in Turin")
	w.act(conversation.Deprecates, "I like tea", "")
	undone := w.act(conversation.Confirms, "I like tea", "")
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: conversation.Undoes, Act: undone.ID})
	require.NoError(t, err)
	_, err = w.React(w.ctx, w.user, first, said[1], "heart")
	require.NoError(t, err)
	w.user.User, w.who.User = "ben", "ben"
	w.say(w.thread(), "I am Ben.", "< Hello Ben.")
	w.user.User, w.who.User = "ann", "ann"
	w.drain()
	return w
}

// exported returns an export.
func exported(t *testing.T, s *threads.Service, who threads.Subject) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, s.Export(t.Context(), who, &b))
	return b.String()
}

// elsewhere returns a service over an empty database of Postgres, with an application of another id.
func elsewhere(t *testing.T, w *world) *threads.Service {
	store, err := postgres.Open(t.Context(), pgtest.New(t), postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	require.NoError(t, store.Threads().CreateApp(t.Context(), threads.App{ID: "moved", Name: "moved",
		CreatedAt: w.clock.Now()}))
	s, err := threads.New(threads.Options{Storage: store.Threads(), Now: w.clock.Now, Random: bytes.NewReader(nil)})
	require.NoError(t, err)
	return s
}

// another returns a service over an empty database of SQLite.
func another(t *testing.T, w *world) *threads.Service {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	require.NoError(t, store.Threads().CreateApp(t.Context(), threads.App{ID: "back", Name: "back",
		CreatedAt: w.clock.Now()}))
	s, err := threads.New(threads.Options{Storage: store.Threads(), Now: w.clock.Now, Random: bytes.NewReader(nil)})
	require.NoError(t, err)
	return s
}

// TestExportsMoveBetweenStores takes an application from SQLite to Postgres and back: the file stays the same, and so
// do the answers.
func TestExportsMoveBetweenStores(t *testing.T) {
	w := lived(t)
	file := exported(t, w.Service, threads.Subject{App: "app"})
	counts, err := threads.CheckImport(threads.Subject{App: "app"}, strings.NewReader(file))
	require.NoError(t, err)
	require.EqualValues(t, 2, counts["user"])
	require.GreaterOrEqual(t, counts["summary"], int64(1), "the story has a summary")
	require.EqualValues(t, 1, counts["reaction"])

	moved := elsewhere(t, w)
	added, err := moved.Import(t.Context(), threads.Subject{App: "moved"}, strings.NewReader(file))
	require.NoError(t, err)
	for _, kind := range []string{"thread", "event", "summary", "act", "reaction"} {
		require.Equal(t, counts[kind], added[kind], kind)
	}
	require.Equal(t, file, exported(t, moved, threads.Subject{App: "moved"}))

	back := another(t, w)
	_, err = back.Import(t.Context(), threads.Subject{App: "back"}, iotest.OneByteReader(strings.NewReader(file)))
	require.NoError(t, err)
	require.Equal(t, file, exported(t, back, threads.Subject{App: "back"}))

	want, err := w.ListClaims(t.Context(), w.who, threads.ClaimQuery{})
	require.NoError(t, err)
	got, err := moved.ListClaims(t.Context(), threads.Subject{App: "moved", User: "ann"}, threads.ClaimQuery{})
	require.NoError(t, err)
	require.NotEmpty(t, want)
	for i := range want { // the ids are made from the application's, and a claim that stays keeps its time of change
		want[i].ID, got[i].ID = "", ""
		want[i].UpdatedAt, got[i].UpdatedAt = time.Time{}, time.Time{}
	}
	require.Equal(t, want, got)
}

// TestImportsAreRepeatable imports twice, imports a user under another name, and imports what is there in part.
func TestImportsAreRepeatable(t *testing.T) {
	w := lived(t)
	file := exported(t, w.Service, w.who)
	added, err := w.Import(t.Context(), threads.Subject{App: "app"}, strings.NewReader(file))
	require.NoError(t, err)
	require.Empty(t, added, "it is all there")
	require.Equal(t, file, exported(t, w.Service, w.who))

	added, err = w.Import(t.Context(), threads.Subject{App: "other", User: "Änn"}, strings.NewReader(file))
	require.NoError(t, err)
	require.NotEmpty(t, added)
	copied := exported(t, w.Service, threads.Subject{App: "other", User: "Änn"})
	require.Equal(t, body(file), body(strings.Replace(copied, `{"id":"Änn"}`, `{"id":"ann"}`, 1)))

	ids := w.idsOf(t, file, "event")
	_, err = w.DeleteEvent(t.Context(), w.user, w.idsOf(t, file, "thread")[2], ids[len(ids)-1])
	if err != nil { // of the other thread
		_, err = w.DeleteEvent(t.Context(), w.user, w.idsOf(t, file, "thread")[1], ids[len(ids)-1])
	}
	require.NoError(t, err)
	added, err = w.Import(t.Context(), threads.Subject{App: "app"}, strings.NewReader(file))
	require.NoError(t, err)
	require.EqualValues(t, 1, added["event"])
}

// body returns an export without its last line.
func body(file string) string {
	lines := strings.SplitAfter(file, "\n")
	return strings.Join(lines[:len(lines)-2], "")
}

// idsOf returns the ids of the rows of a kind in a file.
func (w *world) idsOf(t *testing.T, file, kind string) (ids []string) {
	t.Helper()
	for line := range strings.Lines(file) {
		var row map[string]struct{ ID string }
		if json.Unmarshal([]byte(line), &row) == nil && row[kind].ID != "" {
			ids = append(ids, row[kind].ID)
		}
	}
	return ids
}

// TestDamagedExportsChangeNothing changes an export in each line, and in ways that keep the checksum.
func TestDamagedExportsChangeNothing(t *testing.T) {
	w := lived(t)
	file := exported(t, w.Service, threads.Subject{App: "app"})
	lines := strings.SplitAfter(strings.TrimSuffix(file, "\n"), "\n")
	for i := range lines {
		without := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
		w.refuses(t, without, "line ")
	}
	for _, c := range []struct{ file, says string }{
		{"", "line 1: the file ends before its last line"},
		{"letter\n", "line 1: not the beginning of an export"},
		{strings.Replace(file, `"version":1`, `"version":2`, 1), "line 1: version 2 of the form"},
		{file[:len(file)/2], "the file ends"},
		{file + "{}\n", "there is more after the end"},
		{strings.Replace(file, "Rome", "Roma", 1), "the checksum is another one"},
		{strings.Replace(file, `{"user":{"id":"ann"}}`, `{"user":{"id":"zoe"}}`, 1), "users are not in the order"},
		{strings.Replace(file, `{"user":{"id":"ann"}}`, `{"user":{"id":"ann","x":1}}`, 1),
			`line 2: not a line of kind user`},
		{strings.Replace(file, `{"user":{"id":"ann"}}`, `{"friend":{}}`, 1), `line 2: unknown kind "friend"`},
		{strings.Replace(file, `"role":"user"`, `"role":"admin"`, 1), `the role cannot be "admin"`},
		{strings.Replace(file, `"verb":"add"`, `"verb":"sell"`, 1), `the verb cannot be "sell"`},
		{strings.Replace(file, `"name":"heart"`, `"name":"kiss"`, 1), `the reaction cannot be "kiss"`},
		{strings.Replace(file, `"reason":"init"`, `"reason":"whim"`, 1), `the reason cannot be "whim"`},
	} {
		w.refuses(t, c.file, c.says)
	}
	require.Equal(t, file, exported(t, w.Service, threads.Subject{App: "app"}))
	_, err := w.Import(t.Context(), threads.Subject{App: "none"}, strings.NewReader(file))
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = w.Import(t.Context(), threads.Subject{App: "other", User: "x"}, strings.NewReader(file))
	require.ErrorContains(t, err, "the file has several users")
	_, err = w.Import(t.Context(), threads.Subject{App: "other"}, iotest.ErrReader(io.ErrClosedPipe))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Len(t, strings.Split(exported(t, w.Service, threads.Subject{App: "other"}), "\n"), 3, "nothing is there")
}

// refuses checks that a file is refused for a reason.
func (w *world) refuses(t *testing.T, file, says string) {
	t.Helper()
	_, err := w.Import(t.Context(), threads.Subject{App: "other"}, strings.NewReader(file))
	require.ErrorIs(t, err, threads.ErrInvalid, says)
	require.ErrorContains(t, err, says)
}

// TestIdsOfOthersAreRefused imports rows whose ids another user of the application has.
func TestIdsOfOthersAreRefused(t *testing.T) {
	w := lived(t)
	file := exported(t, w.Service, w.who)
	_, err := w.Import(t.Context(), threads.Subject{App: "app", User: "eve"}, strings.NewReader(file))
	require.ErrorIs(t, err, threads.ErrTaken)
	require.ErrorContains(t, err, "line 3: another user")
	require.ErrorIs(t, w.Export(t.Context(), threads.Subject{App: "app", User: "eve"}, io.Discard), threads.ErrNotFound)
}

// TestForeignDumpsAreImported imports what [threads.Convert] makes, and looks at the claims.
func TestForeignDumpsAreImported(t *testing.T) {
	w := newWorld(t, threads.Models{})
	for _, form := range threads.ForeignForms() {
		dump, err := os.ReadFile(filepath.Join("testdata", "foreign", form+".json"))
		require.NoError(t, err)
		file, _, err := convert(form, "", string(dump))
		require.NoError(t, err)
		_, err = w.Import(t.Context(), threads.Subject{App: "app"}, strings.NewReader(file))
		require.NoError(t, err)
	}
	for user, want := range map[string]map[string]conversation.State{
		"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa": {"Has a boat in Kiel": conversation.Active,
			"What is my plan?": conversation.Suggested, "Wants to sail to Oslo": conversation.Deprecated},
		"arjun":  {"Prefers morning meetings": conversation.Active},
		"kendra": {"Kendra loves Adidas shoes": conversation.Deprecated, "Kendra buys shoes": conversation.Active},
	} {
		w.who.User = user
		require.Equal(t, want, w.claims(), user)
	}
	w.who.User = "kendra"
	was, err := w.ListClaims(t.Context(), w.who,
		threads.ClaimQuery{AsOf: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Len(t, was, 1)
	require.Equal(t, "Kendra loves Adidas shoes", was[0].Text, "it was true then")
}
