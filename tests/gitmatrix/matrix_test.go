package gitmatrix_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newBase returns a repository with a committed store of five memories and a forgotten one.
func newBase(t *testing.T) side {
	t.Helper()
	s := side{newProject(t), "base", map[string]string{}}
	s.remember(pool, "The pool of connections")
	s.remember(queue, "The queue of connections")
	s.remember(again, "The pool of connections, again")
	s.forget(again)
	s.restore(again)
	s.remember(port, "The port of the proxy", "--importance", "critical")
	s.remember(nodes, "The nodes of the cluster", "--importance", "critical")
	s.remember(old, "The old pool of connections")
	s.forget(old)
	s.commit("base")
	s.git("tag", "base")
	s.keeps(t, baseMarks())
	return s
}

// baseMarks returns all marks of the base.
func baseMarks() []string {
	var all []string
	for _, name := range []string{pool, queue, again, port, nodes, old} {
		all = append(all, marks(name, "base")...)
	}
	return all
}

// branch is the result of an operation on a memory of the base.
type branch struct {
	side
	op      operation
	target  string
	name    string
	held    []string // marks that it contains
	gone    []string // marks that a person removed
	changed []string // memories whose files it changed
	status  string   // changes that git saw before the commit
	failed  bool     // the operation failed on its own
}

// newBranch copies the base for an operation to be played.
func newBranch(t *testing.T, base side, op operation, target, who string) *branch {
	t.Helper()
	b := &branch{op: op, target: target, name: strings.NewReplacer(" ", "-", "--", "", "+", "-and-").Replace(op.name) +
		"-" + target + "-" + who, failed: true}
	b.side = side{base.copied(t), who, maps.Clone(base.ids)}
	return b
}

// play plays the operation on the branch.
func (b *branch) play(t *testing.T) {
	s := side{b.project.with(t), b.who, b.ids}
	s.git("checkout", "-q", "-b", b.name)
	b.op.play(s, b.target)
	b.status = s.changes()
	s.commit(b.name)
	if b.op.gone != nil {
		b.gone = b.op.gone(b.target)
	}
	b.held = s.held()
	b.changed = idsIn(s.git("diff", "--name-only", "base"))
	s.keeps(t, without(baseMarks(), b.gone))
	b.failed = false
}

func without(list, gone []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(m string) bool { return slices.Contains(gone, m) })
}

// matrix has branches of both sides for each operation.
type matrix struct {
	kinds []kind
	third *branch // for an octopus
}

// kind is the choice of memories that the operations of two branches affect.
type kind struct {
	name         string
	ours, theirs []*branch // in the order of operations
}

// newMatrix plays all operations, and fetches all other branches into each clone of ours.
func newMatrix(t *testing.T) matrix {
	t.Helper()
	base := newBase(t)
	play := func(target, who string) (branches []*branch) {
		for _, op := range operations() {
			branches = append(branches, newBranch(t, base, op, target, who))
		}
		return branches
	}
	poolOurs, poolTheirs, queueTheirs, againOurs, againTheirs := play(pool, "ours"), play(pool, "theirs"),
		play(queue, "theirs"), play(again, "ours"), play(again, "theirs")
	m := matrix{kinds: []kind{{"same", poolOurs, poolTheirs}, {"similar", poolOurs, queueTheirs},
		{"same with an archive", againOurs, againTheirs}}}
	m.third = newBranch(t, base, operations()[0], port, "third")
	ours, others := slices.Concat(poolOurs, againOurs), slices.Concat(poolTheirs, queueTheirs, againTheirs,
		[]*branch{m.third})
	hub := base.in(filepath.Join(t.TempDir(), "hub.git"))
	base.git("init", "-q", "--bare", hub.dir)
	t.Run("operations", func(t *testing.T) {
		for _, b := range slices.Concat(ours, others) {
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				b.play(t)
			})
		}
	})
	for _, b := range others {
		if !b.failed {
			b.git("push", "-q", hub.dir, b.name)
		}
	}
	for _, b := range ours {
		b.git("fetch", "-q", hub.dir, "+refs/heads/*:refs/other/*")
		b.git("repack", "-adq")
		b.git("pack-refs", "--all")
	}
	return m
}

// method is a way to combine branches; it runs in a clone of the first branch.
type method struct {
	name    string
	combine func(p project, b, third *branch) outcome
	third   bool
}

func methods() []method {
	other := func(b *branch) string { return "refs/other/" + b.name }
	return []method{
		{name: "merge",
			combine: func(p project, b, _ *branch) outcome { return p.tryGit("merge", "--no-edit", other(b)) }},
		{name: "rebase", combine: func(p project, b, _ *branch) outcome { return p.tryGit("rebase", other(b)) }},
		{name: "cherry-pick", combine: func(p project, b, _ *branch) outcome {
			return p.tryGit("cherry-pick", "--allow-empty", "--keep-redundant-commits", other(b))
		}},
		{name: "octopus", third: true, combine: func(p project, b, third *branch) outcome {
			return p.tryGit("merge", "--no-edit", other(b), other(third))
		}},
	}
}

// TestBranchesLoseNothing combines the branches of every pair of operations.
func TestBranchesLoseNothing(t *testing.T) {
	m := newMatrix(t)
	for n, method := range methods() {
		for k, kind := range m.kinds {
			for i, a := range kind.ours {
				for j, b := range kind.theirs {
					if !all() && !chosen(n, k, i, j) {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/%s/%s", method.name, kind.name, a.op.name, b.op.name), func(t *testing.T) {
						t.Parallel()
						m.pair(t, method, a, b)
					})
				}
			}
		}
	}
}

// chosen reports whether a combination is played by default: merges of every pair on one memory in
// one order, a quarter of the other merges, and one in sixteen of everything else.
func chosen(method, kind, i, j int) bool {
	switch {
	case method > 0:
		return (25*i+j+5*method+kind)%16 == 0
	case kind > 0:
		return (i+2*j+kind)%4 == 0
	}
	return i <= j
}

// pair combines two branches and checks what became of the texts.
func (m matrix) pair(t *testing.T, method method, a, b *branch) {
	require.False(t, a.failed || b.failed, "an operation does not work on its own")
	p := a.copied(t)
	done := method.combine(p, b, m.third)
	branches := []*branch{a, b}
	if method.third {
		branches = append(branches, m.third)
	}
	if done.status != 0 {
		mayConflict(t, p, branches, done)
		return
	}
	var want, gone, stored []string
	ids := map[string]string{}
	for _, b := range branches {
		want, gone = append(want, b.held...), append(gone, b.gone...)
		maps.Copy(ids, b.ids)
		for name := range b.ids {
			if strings.HasPrefix(name, "new") || strings.HasPrefix(name, "similar") {
				stored = append(stored, name)
			}
		}
	}
	p.inPlace(t, ids, stored)
	p.keeps(t, without(append(want, baseMarks()...), gone))
	p.inOrder(t)
	if a.op.name == correcting && b.op.name == correcting && a.target == b.target {
		p.with(t).namesRivals(ids)
	}
	require.Empty(t, p.changes(), "after a check")
}

// namesRivals requires that check names two corrections of one memory, and that both are served.
func (p project) namesRivals(ids map[string]string) {
	p.t.Helper()
	report, listed := p.ltm("", "check"), side{project: p}.listed()
	require.Contains(p.t, report, "several corrections")
	for _, who := range []string{"ours", "theirs"} {
		require.Contains(p.t, report, ids["new"+who])
		require.Contains(p.t, listed, ids["new"+who])
	}
}

// mayConflict requires that git reported a conflict, and only in memories that at least two of the
// branches changed. Fading in one clone's view does not count as a change.
func mayConflict(t *testing.T, p project, branches []*branch, done outcome) {
	t.Helper()
	times := map[string]int{}
	for _, b := range branches {
		if !b.op.view {
			for _, id := range b.changed {
				times[id]++
			}
		}
	}
	unmerged := p.git("diff", "--name-only", "--diff-filter=U")
	if strings.Contains(done.String(), "octopus") && unmerged == "" {
		require.True(t, slices.ContainsFunc(slices.Collect(maps.Values(times)), func(n int) bool { return n > 1 }),
			"a conflict, although no memory was changed twice: %s", done)
		return
	}
	if unmerged == "" { // a conflict of whole directories leaves no path
		for line := range strings.Lines(done.stdout) {
			if strings.HasPrefix(line, "CONFLICT") {
				unmerged += line
			}
		}
	}
	require.NotEmpty(t, unmerged, "git failed without a conflict: %s", done)
	for path := range strings.Lines(unmerged) {
		ids := idsIn(path)
		require.NotEmpty(t, ids, "a conflict in %s: %s", path, done)
		for _, id := range ids {
			require.Greater(t, times[id], 1, "a conflict in %s, which was not changed twice: %s", path, done)
		}
	}
}

// TestFadingChangesNoFile requires that sessions and evictions that only fade memories leave the
// work tree unchanged.
func TestFadingChangesNoFile(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	for _, op := range operations() {
		if !op.view {
			continue
		}
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			b := newBranch(t, base, op, pool, "ours")
			b.play(t)
			require.Empty(t, b.status)
		})
	}
	t.Run("sessions", func(t *testing.T) {
		t.Parallel()
		s := side{base.copied(t), "ours", base.ids}
		s.ltm("", "config", "max_memories", "1")
		for i := range 4 {
			s.session(fmt.Sprintf("session%d", i))
			require.Empty(t, s.changes())
		}
		require.Equal(t, 3, s.phase(pool), "it has not faded")
	})
}
