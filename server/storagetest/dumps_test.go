package storagetest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlstore"
)

// fill puts something of every kind into an empty database: in use, deleted, expired and purged.
func fill(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	w := &world{Storage: s, other: s, ctx: t.Context()}
	purge(t, w)
	filters(t, &world{Storage: prefixed{s}, other: s, ctx: t.Context(), n: 1 << 20})
	w.n = 1 << 21
	ann, ben := w.person(t, "ann2"), w.person(t, "ben2")
	w.team(t, "last", ben, ann)
	require.NoError(t, s.CreateToken(w.ctx, server.Token{ID: w.id(), UserID: ben.ID, Name: odd[2], Hash: hash("ben2"),
		CreatedAt: start, ExpiresAt: after(3000)}, 9))
	_, _, err := s.Authenticate(w.ctx, hash("ben2"), after(1))
	require.NoError(t, err)
	for _, text := range odd {
		p := packet(ann, "last", "id of "+text, text)
		p.Parent, p.Project, p.Tags = text, text, []string{text, "", "tag"}
		w.put(t, p)
		require.NoError(t, s.CreateUser(w.ctx, server.User{ID: w.id(), Display: text, CreatedAt: start}))
		_, err := s.Begin(w.ctx, ann.ID, text, hash(text), after(2000))
		require.NoError(t, err)
	}
	require.NoError(t, s.Finish(w.ctx, ann.ID, odd[0], &server.Answer{Status: 201, Body: []byte(odd[0]),
		Header: map[string]string{"A": odd[0], "B": odd[2]}}))
	require.NoError(t, s.DeletePacket(w.ctx, ann.ID, "id of "+odd[1], "", after(2000)))
	require.NoError(t, s.CreateDevice(w.ctx, server.Device{ID: w.id(), Hash: hash("d"), UserCode: "CODE",
		Name: odd[0], CreatedAt: start, ExpiresAt: after(3000), PolledAt: after(1)}))
	require.NoError(t, s.DeleteUser(w.ctx, w.person(t, "gone").ID, after(2000)))
	require.NoError(t, s.DisableUser(w.ctx, w.person(t, "out").ID, true, after(2000)))
	fillMemory(t, s)
}

// prefixed gives the people of another part of fill other names.
type prefixed struct{ server.Storage }

func (p prefixed) CreateUser(ctx context.Context, u server.User) error {
	u.Name, u.Email = "p-"+u.Name, "p-"+u.Email
	return p.Storage.CreateUser(ctx, u)
}

// dumped returns the dump of a storage, which must be sound.
func dumped(t *testing.T, s *sqlstore.Store) string {
	t.Helper()
	faults, err := s.Check(t.Context())
	require.NoError(t, err)
	require.Empty(t, faults)
	var b bytes.Buffer
	require.NoError(t, s.Dump(t.Context(), &b))
	return b.String()
}

// TestDumps tests dumps within and between kinds of databases.
func TestDumps(t *testing.T) {
	for name, ends := range map[string][2]fresh{
		"SQLite": {newSQLite, newSQLite}, "Postgres": {newPostgres, newPostgres},
		"SQLite to Postgres": {newSQLite, newPostgres}, "Postgres to SQLite": {newPostgres, newSQLite},
		"Postgres to a plain role": {newPostgres, newPlainPostgres},
	} {
		t.Run(name, func(t *testing.T) { dumpAndRestore(t, opened(t, ends[0](t)), opened(t, ends[1](t))) })
	}
}

// dumpAndRestore fills a and restores its dump into b.
func dumpAndRestore(t *testing.T, a, b *sqlstore.Store) {
	empty := dumped(t, a)
	require.Equal(t, empty, dumped(t, b))
	fill(t, a)
	dump := dumped(t, a)
	require.NoError(t, b.Restore(t.Context(), strings.NewReader(dump)))
	require.Equal(t, dump, dumped(t, b), "the same contents are the same dump")
	lines := strings.Split(dump, "\n")
	for _, kind := range slices.Concat(kindsSince...) {
		require.True(t, strings.Contains(dump, "\n{\""+kind+"\":{"), kind)
	}
	for _, line := range lines[:len(lines)-1] {
		require.True(t, json.Valid([]byte(line)), line)
	}

	// What was restored goes on: it is found, quotas count it, and new rows are apart from it.
	w := &world{Storage: b, other: b, ctx: t.Context(), n: 1 << 22}
	ann, err := b.FindUser(w.ctx, "ann2")
	require.NoError(t, err)
	require.Len(t, w.ids(t, server.PacketQuery{Caller: ann.ID, Team: "last", Tag: "tag"}), len(odd)-1)
	have, err := b.Totals(w.ctx)
	require.NoError(t, err)
	before, err := a.Totals(w.ctx)
	require.NoError(t, err)
	require.Equal(t, before, have)
	new := w.person(t, "new")
	require.Empty(t, w.ids(t, server.PacketQuery{Caller: new.ID}))
	w.put(t, packet(new, "", "first-of-new", "x"))
	for _, full := range []*sqlstore.Store{a, b} {
		before := dumped(t, full)
		require.ErrorIs(t, full.Restore(w.ctx, strings.NewReader(dump)), sqlstore.ErrNotEmpty)
		require.Equal(t, before, dumped(t, full))
	}
}

// TestRestoresKeepIndexes tests that a database has the indexes that it had, whether a dump was restored into it or
// could not be.
func TestRestoresKeepIndexes(t *testing.T) {
	onEach(t, func(t *testing.T, empty fresh) {
		full := opened(t, empty(t))
		fill(t, full)
		dump := dumped(t, full)
		d := empty(t)
		s := opened(t, d)
		had := d.indexes(t)
		require.Greater(t, len(had), 40)
		require.Error(t, s.Restore(t.Context(), strings.NewReader(dump[:len(dump)-2])))
		require.Equal(t, had, d.indexes(t))
		require.NoError(t, s.Restore(t.Context(), strings.NewReader(dump)))
		require.Equal(t, had, d.indexes(t))
	})
}

// TestDamagedDumps tests that what is not a whole dump changes nothing.
func TestDamagedDumps(t *testing.T) { onEach(t, damagedDumps) }

// damagedDumps tests it on one kind of database.
func damagedDumps(t *testing.T, empty fresh) {
	full := opened(t, empty(t))
	fill(t, full)
	dump := dumped(t, full)
	s := opened(t, empty(t))
	nothing := dumped(t, s)
	lines := strings.SplitAfter(dump, "\n")
	lines = lines[:len(lines)-1]
	var packets []int
	for i, line := range lines {
		if strings.HasPrefix(line, `{"packet"`) {
			packets = append(packets, i)
		}
	}
	without := func(n int) string {
		return strings.Join(lines[:n], "") + strings.Join(lines[n+1:], "")
	}
	for name, text := range map[string]string{
		"empty":           "",
		"text":            "hello\nworld\n",
		"binary":          "\x00\xff\x00",
		"another format":  `{"format":"other","version":1}` + "\n",
		"no version":      `{"format":"ltm-server-dump"}` + "\n",
		"cut in a line":   dump[:len(dump)/2],
		"cut after lines": strings.Join(lines[:len(lines)/2], ""),
		"without its end": strings.Join(lines[:len(lines)-1], ""),
		"a byte less":     dump[:len(dump)-1],
		"more":            dump + "{}\n",
		"twice":           dump + dump,
		"a row less":      without(packets[0]),
		"a row twice":     strings.Join(append(append([]string{}, lines[:packets[1]]...), lines[packets[0]:]...), ""),
		"without header":  without(0),
		"another text":    strings.Replace(dump, "kept words", "kept w0rds", 1),
		"another number":  strings.Replace(dump, `"joined":1`, `"joined":2`, 1),
		"another kind":    strings.Replace(dump, `{"packet":`, `{"pocket":`, 1),
		"a key less":      strings.Replace(dump, `"parent":"",`, ``, 1),
		"another type":    strings.Replace(dump, `"parent":""`, `"parent":1`, 1),
		"a broken code":   strings.Replace(dump, `{"base64":"`, `{"base64":"!`, 1),
		"no text":         strings.Replace(dump, `{"base64":`, `{"base46":`, 1),
		"a list":          strings.Replace(dump, `"tags":[]`, `"tags":[1]`, 1),
	} {
		require.NotEqual(t, dump, text, name)
		err := s.Restore(t.Context(), strings.NewReader(text))
		require.ErrorIs(t, err, sqlstore.ErrDamaged, name)
	}
	for name, text := range consistentlyDamaged(t, lines) {
		require.ErrorIs(t, s.Restore(t.Context(), strings.NewReader(text)), sqlstore.ErrDamaged, name)
	}
	newer := strings.Replace(dump, `"version":1`, `"version":2`, 1)
	require.ErrorIs(t, s.Restore(t.Context(), strings.NewReader(newer)), server.ErrNewer)
	broken := io.MultiReader(strings.NewReader(dump[:len(dump)/2]), failing{})
	require.ErrorIs(t, s.Restore(t.Context(), broken), io.ErrClosedPipe)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Restore(canceled, strings.NewReader(dump)), context.Canceled)
	require.Equal(t, nothing, dumped(t, s), "nothing was changed")
	require.NoError(t, s.Restore(t.Context(), strings.NewReader(dump)))
	require.Equal(t, dump, dumped(t, s))

	require.ErrorIs(t, s.Dump(t.Context(), failing{}), io.ErrClosedPipe)
	require.ErrorIs(t, s.Dump(canceled, io.Discard), context.Canceled)
}

// consistentlyDamaged returns dumps whose rows contradict one another, with the right number and checksum.
func consistentlyDamaged(t *testing.T, lines []string) map[string]string {
	t.Helper()
	made := map[string]string{}
	for name, change := range map[string][3]string{ // the kind of a line, what it has, what is in its place
		"an id twice":        {"event", `"seq":([0-9]+)`, `"seq":${1}000`},
		"terms twice":        {"packet", `"terms":"([^"]{16})`, `"terms":"${1}${1}`},
		"terms of a part":    {"packet", `"terms":"[^"]{4}`, `"terms":"`},
		"more than it holds": {"scope", `"packets":([0-9]+)`, `"packets":${1}9`},
	} {
		has, all := regexp.MustCompile(change[1]), slices.Clone(lines[:len(lines)-1])
		at := slices.IndexFunc(all, func(line string) bool {
			return strings.HasPrefix(line, `{"`+change[0]+`"`) && has.MatchString(line)
		})
		require.GreaterOrEqual(t, at, 0, name)
		changed := has.ReplaceAllString(all[at], change[2])
		if change[0] == "event" {
			all = slices.Insert(all, at+1, changed)
		} else {
			all[at] = changed
		}
		text := strings.Join(all, "")
		made[name] = text + fmt.Sprintf("{\"end\":{\"rows\":%d,\"sha256\":\"%x\"}}\n", len(all)-1,
			sha256.Sum256([]byte(text)))
	}
	return made
}

// failing is a file that fails.
type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, io.ErrClosedPipe }
func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestCheck checks that faults of each kind are found.
func TestCheck(t *testing.T) {
	for statement, says := range map[string]string{
		"UPDATE scopes SET bytes = bytes + 1 WHERE packets > 0":     "count other packets or bytes",
		"INSERT INTO scopes (packets, bytes) VALUES (0, 0)":         "belong to no one",
		"UPDATE packets SET scope = 99999 WHERE deleted IS NULL":    "are in no scope",
		"UPDATE packets SET goal = x'41' WHERE deleted IS NOT NULL": "have texts",
		"INSERT INTO terms VALUES (1, x'00', 0, x'00')":             "belong to no packet",
		"DELETE FROM terms":   "of the index are missing",
		"DELETE FROM members": "an owner who is not in them",
		"UPDATE teams SET deleted = 1 WHERE deleted IS NULL": "members are deleted",
	} {
		d := newSQLite(t)
		store := opened(t, d)
		fill(t, store)
		d.exec(t, statement)
		faults, err := store.Check(t.Context())
		require.NoError(t, err)
		require.Contains(t, strings.Join(faults, "\n"), says, statement)
	}
}

// dumpWhileOthersWrite dumps a database that changes: each dump is one moment.
func dumpWhileOthersWrite(t *testing.T, w *world) {
	ann := w.person(t, "ann")
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.race(func(n int, s server.Storage) error {
			for i := range 8 {
				text := strings.Repeat("x", n+i+1)
				id := "the-packet-" + string(rune('a'+n%7))
				if _, err := s.PutPacket(w.ctx, packet(ann, "", id, text), plenty); err != nil {
					return err
				}
				if i%3 == 2 {
					_ = s.DeletePacket(w.ctx, ann.ID, id, "", after(1)) // another may have been faster
				}
			}
			return nil
		})
	}()
	dumps := 0
	for running := true; running || dumps == 0; dumps++ {
		select {
		case <-done:
			running = false
		default:
		}
		var b bytes.Buffer
		require.NoError(t, w.Storage.(*sqlstore.Store).Dump(w.ctx, &b))
		consistent(t, b.String())
	}
	faults, err := w.Storage.(*sqlstore.Store).Check(w.ctx)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// consistent checks that the packets of a dump are those that its scopes count.
func consistent(t *testing.T, dump string) {
	t.Helper()
	var packets, bytes, counted, size int64
	for line := range strings.Lines(dump) {
		var row struct {
			Scope  *struct{ Packets, Bytes int64 }
			Packet *struct {
				Deleted *int64
				Body    string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		if row.Scope != nil {
			counted, size = counted+row.Scope.Packets, size+row.Scope.Bytes
		}
		if row.Packet != nil && row.Packet.Deleted == nil {
			packets, bytes = packets+1, bytes+int64(len(row.Packet.Body))
		}
	}
	require.Equal(t, counted, packets)
	require.Equal(t, size, bytes)
}
