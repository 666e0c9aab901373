package gitmatrix_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// team returns the clones of two people. Theirs has another memory, which ours has not pulled, and
// a branch "other" with a further one.
func team(t *testing.T) (ours, theirs side) {
	t.Helper()
	base := newBase(t)
	theirs, ours = base.clone("theirs"), base.clone("ours")
	theirs.remember("newtheirs", "A new topic of theirs")
	theirs.commit("theirs")
	theirs.git("push", "-q", "origin", "HEAD:refs/heads/next")
	theirs.git("checkout", "-q", "-b", "other", "base")
	theirs.remember("newother", "A topic of another branch")
	theirs.commit("other")
	theirs.git("push", "-q", "origin", "other")
	ours.git("fetch", "-q")
	ours.ltm("", "trust", "--all", "--yes")
	ours.use()
	maps.Copy(ours.ids, theirs.ids)
	return ours, theirs
}

// wait makes uncommitted changes: a new memory and a tagged one.
func (s side) wait() {
	s.t.Helper()
	s.remember("newours", "A new topic of ours")
	s.call("get_memory", map[string]any{"id": s.ids["newours"]})
	s.call("get_memory", map[string]any{"id": s.ids["newours"]})
	s.tag(pool)
}

// waiting requires exactly the changes that [side.wait] made.
func (s side) waiting() {
	s.t.Helper()
	require.Equal(s.t, " M .claude/ltm/memories/"+s.ids[pool]+".md\n?? .claude/ltm/memories/"+s.ids["newours"]+".md",
		s.changes())
	s.keeps(s.t, append(marks("newours", "ours"), baseMarks()...))
	require.Contains(s.t, s.union(), label(pool, "ours"))
	r := s.private("newours", pool)
	require.GreaterOrEqual(s.t, r.accesses["newours"], 2, "accesses of a new memory")
	require.GreaterOrEqual(s.t, r.accesses[pool], 3, "accesses of the pool")
	require.NotContains(s.t, r.foreign, s.ids["newours"])
	require.NotContains(s.t, r.foreign, s.ids[pool])
	s.inOrder(s.t)
}

// TestUncommittedMemories uses git while memories are uncommitted.
func TestUncommittedMemories(t *testing.T) {
	for name, play := range map[string]func(t *testing.T, s side){
		"pull": func(t *testing.T, s side) {
			s.git("pull", "-q", "--no-rebase", "origin", "next")
			s.keeps(t, marks("newtheirs", "theirs"))
			require.Contains(t, s.listed(), s.ids["newtheirs"])
		},
		"pull and a merge commit": func(t *testing.T, s side) {
			s.git("stash", "-q", "-u")
			s.remember("newmine", "A topic that is committed")
			s.commit("mine")
			s.git("stash", "pop", "-q")
			s.git("pull", "-q", "--no-rebase", "origin", "next")
			s.keeps(t, marks("newtheirs", "theirs"))
			require.Contains(t, s.listed(), s.ids["newmine"])
		},
		"pull by rebase": func(t *testing.T, s side) {
			s.git("-c", "rebase.autoStash=true", "pull", "-q", "--rebase", "origin", "next")
			s.keeps(t, marks("newtheirs", "theirs"))
		},
		"checkout": func(t *testing.T, s side) {
			s.git("checkout", "-q", "-b", "other", "origin/other")
			s.keeps(t, append(marks("newother", "theirs"), marks("newours", "ours")...))
			s.inOrder(t)
			s.session("on the other branch")
			s.git("checkout", "-q", "main")
			require.NotContains(t, s.listed(), s.ids["newother"])
		},
		"stash": func(t *testing.T, s side) {
			s.git("stash", "-q")
			s.inOrder(t)
			s.git("pull", "-q", "--no-rebase", "origin", "next")
			s.git("stash", "pop", "-q")
		},
		"stash of all": func(t *testing.T, s side) {
			s.git("stash", "-q", "-u")
			require.Empty(t, s.changes())
			s.inOrder(t)
			require.NotContains(t, s.listed(), s.ids["newours"])
			s.session("meanwhile")
			s.git("pull", "-q", "--no-rebase", "origin", "next")
			s.git("stash", "pop", "-q")
		},
		"switch with a merge": func(t *testing.T, s side) {
			s.git("checkout", "-q", "-m", "-b", "other", "origin/other")
			s.git("checkout", "-q", "-m", "main")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := team(t)
			s.wait()
			s.waiting()
			play(t, s)
			s.waiting()
			s.publishesNothing()
		})
	}
}

// TestACommitFromBeforeTheStore checks out a commit without a store, commits everything there, and
// returns.
func TestACommitFromBeforeTheStore(t *testing.T) {
	for name, write := range map[string]bool{"reading there": false, "writing there": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newUsed(t)
			s.git("checkout", "-q", "-b", "early", "before")
			require.Empty(t, s.changes(), "files of the store are left over")
			s.try(`{"session_id":"early","source":"startup"}`, "hook", "SessionStart")
			s.ltm("", "list")
			if write {
				s.remember("newearly", "A topic of the early branch")
			}
			s.publishesNothing()
			s.git("commit", "-q", "--allow-empty", "-m", "all")
			s.git("checkout", "-q", "main")
			s.keeps(t, baseMarks())
			r := s.private(pool)
			require.GreaterOrEqual(t, r.sessions, 2)
			require.GreaterOrEqual(t, r.accesses[pool], 3)
			require.Equal(t, "77", r.setting)
			require.Empty(t, r.foreign)
			require.Empty(t, s.changes())
			s.inOrder(t)
			s.git("checkout", "-q", "early")
			s.git("checkout", "-q", "main")
			s.inOrder(t)
		})
	}
}

// TestCleaningTheWorkTree removes untracked files.
func TestCleaningTheWorkTree(t *testing.T) {
	for name, commands := range map[string][][]string{
		"clean":                {{"clean", "-q", "-f", "-d"}},
		"clean of all":         {{"clean", "-q", "-f", "-d", "-x"}},
		"clean of the ignored": {{"clean", "-q", "-f", "-d", "-X"}},
		"stash":                {{"stash", "-q", "-u"}},
		"stash of all":         {{"stash", "-q", "-a"}},
		"reset":                {{"reset", "-q", "--hard", "before"}, {"reset", "-q", "--hard", "base"}},
		"files written again":  {{"rm", "-q", "-r", "."}, {"reset", "-q", "--hard"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newUsed(t)
			s.write("left over", "left-over")
			for _, c := range commands {
				s.git(c...)
			}
			s.stillUsed(0)
			s.keeps(t, baseMarks())
			s.inOrder(t)
			s.session("after")
			s.stillUsed(1)
			s.publishesNothing()
		})
	}
}

// TestSparseCheckout excludes a memory from the work tree.
func TestSparseCheckout(t *testing.T) {
	t.Parallel()
	s := newUsed(t)
	s.git("sparse-checkout", "set", "--no-cone", "/*", "!/.claude/ltm/memories/"+s.ids[pool]+".md")
	require.NoFileExists(t, filepath.Join(s.store(), "memories", s.ids[pool]+".md"))
	s.session("sparse")
	s.remember("newours", "A new topic of ours")
	s.ltm("", "evict")
	s.inOrder(t)
	s.ltm("", "fix")
	require.Equal(t, "?? .claude/ltm/memories/"+s.ids["newours"]+".md", s.changes())
	s.commit("sparse")
	require.Contains(t, s.git("ls-tree", "-r", "--name-only", "HEAD"), s.ids[pool])
	s.git("sparse-checkout", "disable")
	require.Empty(t, s.changes())
	s.keeps(t, append(marks("newours", "base"), baseMarks()...))
	s.stillUsed(1)
	s.inOrder(t)
}

// sharing requires that two work trees of one clone share all private state, and that a memory
// written in one does not count as someone else's in the other.
func sharing(t *testing.T, one, two side) {
	t.Helper()
	one.use()
	one.stillUsed(0)
	two.stillUsed(0)
	two.session("in the second")
	one.stillUsed(1)
	one.remember("newours", "A new topic of ours")
	one.commit("in the first")
	require.Empty(t, two.changes())
	two.inOrder(t)
	two.git("merge", "-q", "--no-edit", one.git("rev-parse", "HEAD"))
	two.keeps(t, marks("newours", one.who))
	two.stillUsed(1)
	two.inOrder(t)
	one.inOrder(t)
	one.publishesNothing()
	two.publishesNothing()
}

// TestWorkTreesOfOneClone adds a work tree to a clone.
func TestWorkTreesOfOneClone(t *testing.T) {
	t.Parallel()
	one := newBase(t)
	second := plainProject(t)
	one.git("worktree", "add", "-q", "-b", "second", second.dir)
	two := side{second, one.who, maps.Clone(one.ids)}
	sharing(t, one, two)
	one.git("worktree", "remove", second.dir)
	one.stillUsed(1)
	one.inOrder(t)
}

// TestABareRepositoryWithWorkTrees has work trees but no main one.
func TestABareRepositoryWithWorkTrees(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	root := filepath.Dir(plainProject(t).dir)
	bare := base.in(filepath.Join(root, "project.git"))
	base.git("clone", "-q", "--bare", base.dir, bare.dir)
	var sides []side
	for _, name := range []string{"one", "two"} {
		bare.git("worktree", "add", "-q", "-b", name, filepath.Join(root, name), "main")
		sides = append(sides, side{base.in(filepath.Join(root, name)), "base", maps.Clone(base.ids)})
	}
	sides[0].ltm("", "trust", "--all", "--yes")
	sharing(t, sides[0], sides[1])
}

// TestASubmoduleWithAStore has a store in a project and another in its submodule.
func TestASubmoduleWithAStore(t *testing.T) {
	t.Parallel()
	library := newBase(t)
	top := newUsed(t)
	top.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.dir, "library")
	top.commit("submodule")
	sub := side{top.in(top.path("library")), "library", maps.Clone(library.ids)}
	sub.ltm("", "trust", "--all", "--yes")
	require.Equal(t, 0, sub.private().sessions, "the sessions of the project around it")
	sub.use()
	sub.remember("newlibrary", "A topic of the library")
	require.Equal(t, "?? .claude/ltm/memories/"+sub.ids["newlibrary"]+".md", sub.changes())
	sub.commit("in the library")
	sub.stillUsed(0)
	sub.inOrder(t)
	top.stillUsed(0)
	require.NotContains(t, top.listed(), sub.ids["newlibrary"])
	require.Equal(t, " M library", top.changes())
	sub.publishesNothing()
	top.commit("newer library")
	top.publishesNothing()
	top.git("clean", "-q", "-f", "-f", "-d", "-x")
	sub.stillUsed(0)
	top.inOrder(t)
}

// TestWithoutGit uses a store outside of git, and adds it to git later.
func TestWithoutGit(t *testing.T) {
	t.Parallel()
	s := side{plainProject(t), "base", map[string]string{}}
	s.remember(pool, "The pool of connections")
	s.remember(old, "The old pool of connections")
	s.forget(old)
	s.use()
	s.stillUsed(0)
	s.keeps(t, append(marks(pool, "base"), marks(old, "base")...))
	s.inOrder(t)
	s.git("init", "-q", "-b", "main")
	s.publishesNothing()
	s.commit("all")
	s.keeps(t, append(marks(pool, "base"), marks(old, "base")...))
	s.inOrder(t)
	s.publishesNothing()
}

// TestLineEndsOfWindows has git convert line ends at checkout. No command may produce a diff by
// itself, and a change must not affect other lines.
func TestLineEndsOfWindows(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	s := base.clone("ours", "-c", "core.autocrlf=true")
	data, err := os.ReadFile(filepath.Join(s.store(), "memories", s.ids[pool]+".md"))
	require.NoError(t, err)
	require.Contains(t, string(data), "\r\n")
	s.ltm("", "trust", "--all", "--yes")
	s.use()
	for _, args := range []string{"list --all", "recall --all pool", "show " + s.ids[pool], "why " + s.ids[pool],
		"check", "fix", "status", "log", "archives", "trust", "doctor"} {
		s.try("", strings.Fields(args)...)
		require.Empty(t, s.changes(), "ltm %s", args)
	}
	s.inOrder(t)
	for _, change := range []struct {
		name  string
		play  func()
		lines int // the most lines that may differ
	}{
		{"tag", func() { s.tag(pool) }, 3},
		{"pin", func() { s.pin(queue) }, 3},
		{"edit", func() { s.edit(pool) }, 2},
		{"update", func() { s.update(queue) }, 10},
		{"store", func() { s.remember("newours", "A new topic of ours") }, 0},
		{"forget", func() { s.forget(port) }, 30},
		{"restore", func() { s.restore(port) }, 30},
		{"fade", func() { s.fade("newours", 2) }, 0},
	} {
		change.play()
		changed := 0
		for line := range strings.Lines(s.git("diff", "--ignore-cr-at-eol", "HEAD")) {
			if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
				changed++
			}
		}
		all := strings.Count(s.git("diff", "HEAD"), "\n+") + strings.Count(s.git("diff", "HEAD"), "\n-")
		require.LessOrEqual(t, all, changed, "%s changes line ends", change.name)
		s.git("-c", "core.safecrlf=false", "add", "-A")
		s.git("commit", "-q", "--allow-empty", "-m", change.name)
		require.Empty(t, s.changes(), "after %s", change.name)
		require.LessOrEqual(t, linesOf(s.git("show", "--numstat", "--format=", "--diff-filter=M", "HEAD")),
			change.lines, "%s changes more than it has to", change.name)
		s.inOrder(t)
	}
	require.Equal(t, []string{s.ids[pool]}, s.private().foreign, "only changes by an editor count as foreign")
}

// linesOf sums the output of "git show --numstat".
func linesOf(numstat string) int {
	sum := 0
	for line := range strings.Lines(numstat) {
		for _, word := range strings.Fields(line)[:2] {
			n := 0
			for _, r := range word {
				n = n*10 + int(r-'0')
			}
			sum += n
		}
	}
	return sum
}

// TestADetachedHead works without a branch.
func TestADetachedHead(t *testing.T) {
	t.Parallel()
	s := newUsed(t)
	s.git("checkout", "-q", "--detach")
	s.session("detached")
	s.remember("newours", "A new topic of ours")
	s.tag(pool)
	s.forget(queue)
	s.inOrder(t)
	s.stillUsed(1)
	s.commit("detached")
	require.Empty(t, s.changes())
	s.git("checkout", "-q", "main")
	s.keeps(t, baseMarks())
	s.inOrder(t)
	s.stillUsed(1)
	s.git("merge", "-q", "--ff-only", "HEAD@{1}")
	s.keeps(t, append(marks("newours", "base"), baseMarks()...))
	s.publishesNothing()
}
