package locate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/internal/emulated"
	"ltm/store"
)

// TestShelf has a person's directory in many places beside a project's store.
func TestShelf(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	s.mkdir(t, "repo/.claude/ltm", "repo/sub", "plain/.claude/ltm", "home/work", "data")
	s.repository(t, "dotfiles")
	s.mkdir(t, "dotfiles/data/ltm")
	for name, tt := range map[string]struct {
		person, project, none string
	}{
		"elsewhere":                     {person: "data/ltm", project: "repo"},
		"elsewhere, from a folder":      {person: "data/ltm", project: "repo/sub"},
		"none named":                    {person: "", project: "repo", none: "names no directory"},
		"the store itself":              {person: "repo/.claude/ltm", project: "repo", none: "is the store of"},
		"in the store":                  {person: "repo/.claude/ltm/mine", project: "repo", none: "is in this project"},
		"in the work tree":              {person: "repo/mine/ltm", project: "repo/sub", none: "is in this project"},
		"in the project's git":          {person: "repo/.git/ltm", project: "repo", none: "is in this project"},
		"in a project outside of git":   {person: "plain/mine", project: "plain", none: "is in this project"},
		"below home, session in home":   {person: "home/.local/share/ltm", project: "home"},
		"session in the shelf":          {person: "data", project: "data", none: "is in this project"},
		"another repository's":          {person: "dotfiles/data/ltm", project: "repo"},
		"session in that repository":    {person: "dotfiles/data/ltm", project: "dotfiles", none: "is in this project"},
		"beside a name that begins so":  {person: "repo-mine", project: "repo"},
		"a directory yet to be made":    {person: "repo/a/b/c", project: "repo", none: "is in this project"},
		"the project's store, not made": {person: "home/work/.claude/ltm", project: "home/work", none: "is in this"},
	} {
		t.Run(name, func(t *testing.T) {
			w := locate.Where{Project: s.in(tt.project), Home: s.in("home")}
			if tt.person != "" {
				w.Person = s.in(tt.person)
			}
			shelf := locate.ShelfOf(w, locate.Store(w))
			if tt.none != "" {
				require.Contains(t, shelf.None, tt.none)
				return
			}
			require.Empty(t, shelf.None)
			require.Equal(t, store.Places{Store: s.in(tt.person), Tree: s.in(tt.person + "/.local"),
				Clone: s.in(tt.person + "/.local"), Key: s.in(tt.person + "/trust.key"),
				Local: true, Named: true, Own: true}, shelf.Places)
		})
	}
}

func TestShelfOfARelativePath(t *testing.T) {
	w := locate.Where{Cwd: t.TempDir(), Person: "mine"}
	require.Contains(t, locate.ShelfOf(w, locate.Store(w)).None, "not an absolute path")
}

// TestShelfWithItsOwnRepository keeps its private files where its repository cannot bring any.
func TestShelfWithItsOwnRepository(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "mine")
	w := locate.Where{Project: s.in("project"), Person: s.in("mine")}
	shelf := locate.ShelfOf(w, locate.Store(w))
	require.Empty(t, shelf.None)
	want := s.places("mine", "mine/.git/ltm/stores/%2E", "mine/.git/ltm/stores/%2E")
	want.Named, want.Own = true, true
	require.Equal(t, want, shelf.Places)
}

// TestShelfAsTheProjectsStore has its rules all the same.
func TestShelfAsTheProjectsStore(t *testing.T) {
	s := newScratch(t)
	s.mkdir(t, "home/mine", "project")
	emulated.Symlink(t, s.in("home/mine"), s.in("link"))
	for dir, own := range map[string]bool{"home/mine": true, "project/../home/mine": true, "link": true,
		"project": false} {
		place := locate.Store(locate.Where{Override: s.in(".") + "/" + dir, Person: s.in("home/mine")})
		require.Equal(t, own, place.Own, dir)
		require.True(t, place.Named)
	}
}

// TestShelfBehindLinks follows a link that leads into the project, and one that leads elsewhere.
func TestShelfBehindLinks(t *testing.T) {
	s := newScratch(t)
	s.repository(t, "repo")
	s.mkdir(t, "repo/mine", "data/ltm")
	for link, target := range map[string]string{"inside": "repo/mine", "outside": "data/ltm"} {
		emulated.Symlink(t, s.in(target), s.in(link))
	}
	w := locate.Where{Project: s.in("repo"), Person: s.in("inside")}
	require.Contains(t, locate.ShelfOf(w, locate.Store(w)).None, "is in this project")
	w.Person = s.in("outside")
	require.Empty(t, locate.ShelfOf(w, locate.Store(w)).None)

	// a repository whose store is a link to the shelf
	require.NoError(t, os.Mkdir(s.in("repo/.claude"), 0o755))
	require.NoError(t, os.Symlink(s.in("data/ltm"), filepath.Join(s.in("repo/.claude"), "ltm")))
	w.Person = s.in("data/ltm")
	require.Contains(t, locate.ShelfOf(w, locate.Store(w)).None, "is the store of this project")
}
