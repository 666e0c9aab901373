//go:build amd64 || arm64

package torture_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// ownIDs are the memories of a person that commands are killed on: two of their own, and one that
// waits for an approval.
type ownIDs struct{ first, second, model memory.ID }

// ownStore prepares a person's store.
func ownStore(p project) ownIDs {
	ids := ownIDs{first: p.remember("alpha of the person", long("alpha"), "--user"),
		second: p.remember("beta of the person", long("beta"), "--user")}
	ids.model = p.remember("gamma of a model", long("gamma"), "--user")
	p.run("", "trust", "--user", "--revoke", string(ids.model))
	return ids
}

// TestKilledOnAPersonsStore kills each command at each call that changes a file, and requires that
// nothing of the person is lost, that nothing of a model is approved by it, and that the project
// stays as it is.
func TestKilledOnAPersonsStore(t *testing.T) {
	_, full := rounds(t)
	for name, args := range map[string]func(ownIDs) []string{
		"remember": func(ownIDs) []string { return []string{"remember", "--user", "delta", "the fourth"} },
		"update": func(ids ownIDs) []string {
			return []string{"update", "--user", string(ids.first), "--append", "And more."}
		},
		"forget":    func(ids ownIDs) []string { return []string{"forget", "--user", string(ids.second)} },
		"trust":     func(ids ownIDs) []string { return []string{"trust", "--user", string(ids.model)} },
		"user init": func(ownIDs) []string { return []string{"user", "init"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := newProject(t)
			ids := ownStore(base)
			command := args(ids)
			for n := 1; !full && n%shortStep != 0 || killedOnce(t, base, ids, n, command); n++ {
			}
		})
	}
}

// killedOnce kills a command at its n-th call in a copy of the project. It returns false if the
// command ended before that.
func killedOnce(t *testing.T, base project, ids ownIDs, n int, command []string) bool {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	defer os.RemoveAll(root)
	p := base.clone(t, root)
	run := trace(t, fault{at: n, kill: true, inside: p.root}, p.command("", command...))
	where := fmt.Sprintf("call %d of %v", n, command)
	if run.struck {
		where += ", " + run.calls[n-1]
	} else {
		require.Zero(t, run.status, run.stderr)
	}
	requireOwnKept(t, p, ids, where)
	again := p.try("", command...)
	require.Contains(t, []int{0, 3, 4}, again.status, "%s, then: %s", where, again.stderr) // done already
	requireOwnKept(t, p, ids, where+", and again")
	return run.struck
}

// requireOwnKept checks what a person has.
func requireOwnKept(t *testing.T, p project, ids ownIDs, where string) {
	t.Helper()
	for id, about := range map[memory.ID]string{ids.first: "alpha", ids.second: "beta", ids.model: "gamma"} {
		shown := p.try("", "show", "--user", string(id))
		if shown.status != 0 {
			shown = p.try("", "show", "--user", "--archives", string(id))
		}
		require.Zero(t, shown.status, "%s: %s", where, shown.stderr)
		require.Contains(t, shown.stdout, "Detail of "+about, where)
	}
	var check api.CheckReport
	p.json(&check, "check", "--user")
	require.Empty(t, check.UnreadableFiles, where)
	var trusted api.TrustReport
	p.json(&trusted, "trust", "--user")
	for _, f := range trusted.Foreign {
		require.Equal(t, ids.model, f.ID, where)
	}
	require.NoDirExists(t, p.store(), where)
	require.NoDirExists(t, filepath.Join(p.dir, ".git", "ltm"), where)
}
