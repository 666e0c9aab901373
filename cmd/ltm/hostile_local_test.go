//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// newHostileLocal makes one outside of git, such as an unpacked download: it can
// hold what belongs to one machine, too.
func newHostileLocal(t *testing.T) *hostile {
	t.Helper()
	template := shared.get(t, "honest, outside of git", func(dir string) {
		p := project{t: t, dir: filepath.Join(dir, "project"),
			env: []string{"LTM_USER_DIR=" + filepath.Join(dir, "person")}}
		require.NoError(t, os.Mkdir(p.dir, 0o755))
		p.fillHonestly()
	})
	dir := copied(t, template)
	return makeHostile(t, project{t: t, dir: filepath.Join(dir, "project"),
		env: []string{"LTM_USER_DIR=" + filepath.Join(dir, "person")}})
}

// newHostileFor makes a project in which a file of that name is read.
func newHostileFor(t *testing.T, name string) *hostile {
	t.Helper()
	if strings.HasPrefix(name, ".local") {
		return newHostileLocal(t)
	}
	h := newHostile(t)
	if slices.Contains([]string{"stats.json", "state.json"}, name) {
		h.forgetClone()
	}
	return h
}

// forgetClone removes what belongs to the clone: it was just made, and takes over
// the predecessor's counters.
func (h *hostile) forgetClone() {
	h.t.Helper()
	require.NoError(h.t, os.RemoveAll(filepath.Join(h.dir, ".git", "ltm")))
}

// eachFile calls fn for the files of a store in git, and of one outside of it.
func eachFile(t *testing.T, fn func(h *hostile, name string)) {
	t.Helper()
	for name, local := range map[string]bool{"in git": false, "outside of git": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHostileFor(t, map[bool]string{true: ".local", false: "state.json"}[local])
			for _, name := range ownFiles() {
				if !isFolder(name) && strings.HasPrefix(name, ".local") == local {
					fn(h, name)
				}
			}
			h.survive()
		})
	}
}

// TestForgedTrustRecord has records of trust that were made elsewhere, under another
// secret, wherever a repository or a download can put one. They hold nothing: a model
// that is to be asked first sees none of the memories.
func TestForgedTrustRecord(t *testing.T) {
	t.Run("in git", func(t *testing.T) {
		t.Parallel()
		h := newHostile(t)
		forged := []string{"trust", "trust.key", "state.json", "log.jsonl"}
		for _, name := range forged {
			data, err := os.ReadFile(filepath.Join(h.dir, ".git", "ltm", name))
			require.NoError(t, err)
			h.write(name, string(data))
			h.write(".local/"+name, string(data))
		}
		for _, args := range [][]string{{"add", "-f", ".claude"},
			{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "forged"}} {
			require.NoError(t, exec.Command("git", append([]string{"-C", h.dir}, args...)...).Run())
		}
		clone := filepath.Join(t.TempDir(), "clone")
		require.NoError(t, exec.Command("git", "clone", "-q", h.dir, clone).Run())
		h.dir, h.store = clone, filepath.Join(clone, ".claude", "ltm")
		h.distrusted()
	})
	t.Run("outside of git", func(t *testing.T) {
		t.Parallel()
		h := newHostileLocal(t)
		theirs := filepath.Join(strings.TrimPrefix(h.env[0], "LTM_USER_DIR="), "trust.key")
		data, err := os.ReadFile(theirs)
		require.NoError(t, err)
		h.write(".local/trust.key", string(data))
		h.run("", "config", "trust", "all")
		require.Contains(t, h.run("", "trust"), "trust is all")
		h.env = []string{"LTM_USER_DIR=" + filepath.Join(t.TempDir(), "victim")}
		h.distrusted()
	})
}

// distrusted requires that nothing of the store counts as written here.
func (h *hostile) distrusted() {
	h.t.Helper()
	var r api.TrustReport
	h.json(&r, "trust")
	require.Equal(h.t, 2, r.Total)
	require.Len(h.t, r.Foreign, 2)
	require.Equal(h.t, "mark", r.Trust)
	h.run("", "config", "trust", "ask")
	for _, stdin := range []string{serverCalls, strings.ReplaceAll(serverCalls, "mem_deadbeef",
		string(r.Foreign[0].ID))} {
		out := h.harmless(stdin, "mcp")
		require.NotContains(h.t, out, "fifty connections")
		require.NotContains(h.t, out, "port of the pool")
		require.NotContains(h.t, out, "honest memory")
	}
	out := h.harmless(`{"session_id":"s","source":"startup"}`, "hook", "SessionStart")
	require.NotContains(h.t, out, "honest memory")
	h.json(&r, "trust")
	require.Len(h.t, r.Foreign, 2)
}
