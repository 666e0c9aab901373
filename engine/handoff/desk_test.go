package handoff_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/handoff"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// fixture is a desk on a scratch store, with a clock and a repository that tests set.
type fixture struct {
	*handoff.Desk
	t       testing.TB
	dir     string // of the store
	options handoff.Options
	now     time.Time
	git     *repository
}

// repository is what version control knows, as tests say it.
type repository struct {
	branch, commit, origin string
	dirty                  []string
	commits                int
	changed                []string
	known                  bool     // whether Since knows the commit
	differ                 int      // what Differ answers; -1: it does not know
	branches               []string // nil: not known
	files                  []string
}

func (r *repository) Head(context.Context) (branch, commit, origin string) {
	return r.branch, r.commit, r.origin
}

func (r *repository) Dirty(_ context.Context, most int) []string {
	return r.dirty[:min(most, len(r.dirty))]
}

func (r *repository) Differ(context.Context, []string) (n int, known bool) {
	return r.differ, r.differ >= 0
}

func (r *repository) Since(_ context.Context, _ string, most int) (int, []string, bool) {
	return r.commits, r.changed[:min(most, len(r.changed))], r.known
}

func (r *repository) HasBranch(_ context.Context, name string) (has, known bool) {
	return slices.Contains(r.branches, name), r.branches != nil
}

func (r *repository) HasFile(_ context.Context, path string) (has, known bool) {
	return slices.Contains(r.files, path), r.files != nil
}

const commit = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"

func newDesk(t testing.TB) *fixture {
	t.Helper()
	top := t.TempDir()
	f := &fixture{t: t, dir: filepath.Join(top, ".claude", "ltm"), now: at, git: &repository{}}
	clone := filepath.Join(top, "git", "clone")
	places := store.Places{Store: f.dir, Tree: filepath.Join(top, "git", "tree"), Clone: clone,
		Key: filepath.Join(clone, "trust.key")}
	clock := func() time.Time { return f.now }
	f.options = handoff.Options{Store: store.New(places, clock), Repository: f.git, Now: clock, Random: rand.Reader,
		LockWait: time.Minute, Author: "mira", Project: "tide-gauge"}
	f.Desk = handoff.New(f.options)
	return f
}

// draft is a packet that lacks nothing.
func draft(goal string) api.PacketDraft {
	return api.PacketDraft{Packet: packet.Packet{Goal: goal, NextStep: "Run the cold chamber test.",
		SuccessCriteria: []string{"Drift stays under two seconds."}}}
}

func (f *fixture) write(d api.PacketDraft) api.PacketReceipt {
	f.t.Helper()
	f.now = f.now.Add(time.Minute)
	r, err := f.Write(f.t.Context(), d)
	require.NoError(f.t, err)
	require.True(f.t, r.Success)
	return r
}

func (f *fixture) show(id string) api.PacketDetail {
	f.t.Helper()
	d, err := f.Show(f.t.Context(), id)
	require.NoError(f.t, err)
	return d
}

func (f *fixture) list(filter api.PacketFilter) api.PacketList {
	f.t.Helper()
	l, err := f.List(f.t.Context(), filter)
	require.NoError(f.t, err)
	return l
}

// goals lists the goals of packets.
func goals(l api.PacketList) []string {
	all := []string{}
	for _, e := range l.Packets {
		all = append(all, e.Goal)
	}
	return all
}

// file writes a file below the directory of packets.
func (f *fixture) file(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.dir, "packets", filepath.FromSlash(name))
	require.NoError(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(f.t, os.WriteFile(path, []byte(text), 0o644))
}

// files returns the names of all files below the directory of packets, and what is in them.
func (f *fixture) files() map[string]string {
	f.t.Helper()
	found := map[string]string{}
	top := filepath.Join(f.dir, "packets")
	_ = filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(top, path)
		data, err := os.ReadFile(path)
		require.NoError(f.t, err)
		found[filepath.ToSlash(rel)] = string(data)
		return nil
	})
	return found
}

// remarks lists the kinds and subjects of notes.
func remarks(notes []memory.Note) []string {
	var all []string
	for _, n := range notes {
		for _, r := range n {
			all = append(all, string(r.Kind)+" "+r.Subject)
		}
	}
	return all
}
