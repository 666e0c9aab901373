package gitmatrix_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// private is the state that belongs to one clone, as the command line shows it: counters, sessions,
// settings and trust.
type private struct {
	sessions int
	accesses map[string]int // by memory
	setting  string
	foreign  []string // memories that count as not written in this clone
}

// private returns that state. Showing a memory may count as an access.
func (s side) private(names ...string) private {
	s.t.Helper()
	r := private{accesses: map[string]int{}}
	var status struct {
		Sessions int `json:"session_count"`
	}
	s.json(&status, "status")
	r.sessions = status.Sessions
	for _, name := range names {
		var shown struct {
			Accesses int `json:"access_count"`
		}
		s.json(&shown, "show", s.ids[name])
		r.accesses[name] = shown.Accesses
	}
	r.setting = strings.Split(s.ltm("", "config", "max_memories"), "\t")[1]
	var trust struct{ Foreign []struct{ ID string } }
	s.json(&trust, "trust")
	for _, f := range trust.Foreign {
		r.foreign = append(r.foreign, f.ID)
	}
	return r
}

// use gives a clone private state that it could lose: two sessions, three accesses of pool, a
// setting.
func (s side) use() {
	s.t.Helper()
	for i := range 2 {
		s.session(fmt.Sprintf("%s-%d", s.who, i))
	}
	for range 3 {
		s.call("get_memory", map[string]any{"id": s.ids[pool]})
	}
	s.ltm("", "config", "max_memories", "77")
}

// stillUsed requires the state that [side.use] made, plus more sessions.
func (s side) stillUsed(sessions int) {
	s.t.Helper()
	r := s.private(pool)
	require.Equal(s.t, 2+sessions, r.sessions, "sessions")
	require.GreaterOrEqual(s.t, r.accesses[pool], 3, "accesses of the pool")
	require.Equal(s.t, "77", r.setting, "a setting of this clone")
	require.Empty(s.t, r.foreign, "memories of this clone count as written elsewhere")
}

// sharedFile reports whether a path is that of a file that a team shares.
func sharedFile(path string) bool {
	return regexp.MustCompile(`^\.claude/ltm/((memories|archives)/mem_[^/]*|` +
		`index\.json|config\.json|README\.md|\.gitignore|\.gitattributes)$`).MatchString(path)
}

// publishesNothing requires that no commit of the project contains a private file, and that git
// would add none.
func (p project) publishesNothing() {
	p.t.Helper()
	p.git("add", "-A")
	for _, list := range []string{p.git("ls-files"), p.git("log", "--all", "--name-only", "--format=")} {
		for path := range strings.Lines(list) {
			path = strings.TrimSpace(path)
			if strings.HasPrefix(path, ".claude/ltm") {
				require.True(p.t, sharedFile(path), "%s is published", path)
			}
		}
	}
}

// newUsed returns a repository with a used store and everything committed.
func newUsed(t *testing.T) side {
	t.Helper()
	s := newBase(t)
	s.use()
	require.Empty(t, s.changes(), "after sessions and accesses")
	s.stillUsed(0)
	return s
}

// clone returns another person's clone of a project.
func (s side) clone(who string, flags ...string) side {
	s.t.Helper()
	to := plainProject(s.t)
	s.git(append(append([]string{"clone", "-q"}, flags...), s.dir, to.dir)...)
	return side{to, who, maps.Clone(s.ids)}
}
