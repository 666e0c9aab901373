package gitstore

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/refs"
)

func (w worked) files() Files { return Files{w.Store} }

// TestAttributes compares the id of each new file with the one that git would give it, for each way to write a rule
// or the setting core.autocrlf.
func TestAttributes(t *testing.T) {
	w := newWorked(t)
	w.git("config", "core.safecrlf", "false")
	config, err := os.ReadFile(filepath.Join(w.dir, ".git", "config"))
	require.NoError(t, err)
	contents := map[string]string{"unix": "a\nb\n", "dos": "a\r\nb\r\n", "binary": "a\x00\r\n"}
	names := slices.Sorted(maps.Keys(contents))
	for _, name := range names {
		w.write(name, contents[name])
	}
	compare := func(rule, setting string) {
		w.write(".gitattributes", "*  "+rule+"\n")
		w.write(".git/config", string(config)+"[core]\n"+setting+"\n")
		found, err := w.files().Attributes(t.Context(), names)
		require.NoError(t, err)
		ids := strings.Fields(w.git(append([]string{"hash-object"}, names...)...))
		for i, name := range names {
			kept, exact := refs.Convert([]byte(contents[name]), found[name])
			require.True(t, exact)
			require.Equal(t, ids[i], refs.Blob(kept, 40), "%s with %q and %q", name, rule, setting)
		}
	}
	for _, word := range []string{"autocrlf", "autocrlf =", "autocrlf = yes", "autocrlf = on", "autocrlf = 1",
		"autocrlf = TRUE", "autocrlf = INPUT", "autocrlf = false", "autocrlf = no", "autocrlf = 0"} {
		compare("", word)
	}
	for _, rule := range []string{"", "text", "-text", "text=auto", "crlf", "-crlf", "crlf=input", "binary", "eol=lf",
		"text=auto eol=crlf", "crlf -text", "!text", "filter= -text"} {
		for _, setting := range []string{"", "autocrlf = true", "autocrlf = input"} {
			compare(rule, setting)
		}
	}
}

func TestFilters(t *testing.T) {
	w := newWorked(t)
	w.write(".gitattributes", "*.bin filter=lfs -text\n*.up filter=up\n*.c ident\n"+
		"*.utf working-tree-encoding=UTF-16\n*.plain -filter -ident\n")
	names := []string{"a.bin", "a.up", "a.c", "a.utf", "ü x.plain"}
	found, err := w.files().Attributes(t.Context(), names)
	require.NoError(t, err)
	auto := "false"
	require.Equal(t, map[string]refs.Attributes{"a.bin": {Text: "unset", Filter: "lfs", AutoCRLF: auto},
		"a.up": {Filter: "up", AutoCRLF: auto}, "a.c": {Other: true, AutoCRLF: auto},
		"a.utf": {Other: true, AutoCRLF: auto}, "ü x.plain": {AutoCRLF: auto}}, found)
}

func TestIgnored(t *testing.T) {
	w := newWorked(t, "tracked.env")
	w.write(".gitignore", "*.env\n/build/\n")
	names := []string{"tracked.env", "new.env", "build/x", "sub/build/x", "ü.env", "[a].go"}
	for _, name := range names[1:] {
		w.write(name, "x")
	}
	found, err := w.files().Ignored(t.Context(), names)
	require.NoError(t, err)
	for name, want := range map[string]bool{"tracked.env": false, "new.env": true, "build/x": true,
		"sub/build/x": false, "ü.env": true, "[a].go": false} {
		require.Equal(t, want, found[name], name)
	}
	found, err = w.files().Ignored(t.Context(), names[5:])
	require.NoError(t, err)
	require.False(t, found["[a].go"])
}

func TestDigits(t *testing.T) {
	w := newWorked(t)
	require.Equal(t, 40, w.files().Digits(t.Context()))
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, ".git")))
	w.git("init", "-q", "--object-format=sha256")
	require.Equal(t, 64, w.files().Digits(t.Context()))
}

// TestRenamedOnce has another file now where one was that was renamed.
func TestRenamedOnce(t *testing.T) {
	w := newWorked(t, "a.go", "before.go", "z.go")
	w.git("mv", "a.go", "b.go")
	w.git("commit", "-qm", "move")
	w.write("a.go", "another\n")
	w.git("add", "-A")
	w.git("commit", "-qm", "another")
	require.NoError(t, os.Remove(filepath.Join(w.dir, "a.go")))
	require.Empty(t, w.files().Renamed(t.Context(), "a.go"), "not staged")
	w.git("rm", "-q", "a.go", "before.go")
	w.git("mv", "z.go", "y.go")
	require.Empty(t, w.files().Renamed(t.Context(), "a.go"), "deleted")
	require.Equal(t, "y.go", w.files().Renamed(t.Context(), "z.go"))
	w.git("commit", "-qm", "drop")
	require.Empty(t, w.files().Renamed(t.Context(), "a.go"))
	require.Equal(t, "y.go", w.files().Renamed(t.Context(), "z.go"))
}

// TestRenamed follows files through commits, merges and what is staged.
func TestRenamed(t *testing.T) {
	w := newWorked(t)
	text := strings.Repeat("a line of it\n", 40)
	for _, name := range []string{"chain.go", "merged.go", "staged.go", "app/[id].go", "app/i.go", "gone.go",
		"ü x.go"} {
		w.write(name, name+"\n"+text)
	}
	w.git("add", "-A")
	w.git("commit", "-qm", "all")
	move := func(from, to string) {
		w.git("mv", from, to)
		w.write(to, to+"\n"+text+to)
		w.git("add", "-A")
	}
	for _, step := range [][2]string{{"chain.go", "chain2.go"}, {"chain2.go", "chain3.go"},
		{"app/[id].go", "app/slug.go"}, {"ü x.go", "ä y.go"}} {
		move(step[0], step[1])
		w.git("commit", "-qm", "move")
	}
	w.git("checkout", "-qb", "other")
	move("merged.go", "into.go")
	w.git("commit", "-qm", "move")
	w.git("checkout", "-q", "main")
	w.git("rm", "-q", "gone.go", "app/i.go")
	w.git("commit", "-qm", "drop")
	w.git("merge", "-q", "--no-edit", "other")
	move("staged.go", "stage.go")
	for from, to := range map[string]string{"chain.go": "chain3.go", "chain2.go": "chain3.go", "merged.go": "into.go",
		"staged.go": "stage.go", "app/[id].go": "app/slug.go", "ü x.go": "ä y.go", "gone.go": "", "app/i.go": "",
		"never.go": "", "chain3.go": ""} {
		require.Equal(t, to, w.files().Renamed(t.Context(), from), from)
	}
}

// TestRenamedPastOthers has other files now where a file was on its way, and a directory where it was.
func TestRenamedPastOthers(t *testing.T) {
	w := newWorked(t, "a.go", "tool", "kept.go")
	another := func(name string) {
		w.write(name, strings.Repeat("another "+name+"\n", 9))
		w.git("add", "-A")
		w.git("commit", "-qm", "another")
	}
	move := func(from, to string) {
		w.git("mv", from, to)
		w.git("commit", "-qm", "move")
	}
	move("kept.go", "now.go")
	move("a.go", "b.go")
	move("b.go", "c.go")
	another("b.go")
	require.Equal(t, "c.go", w.files().Renamed(t.Context(), "a.go"))
	require.Equal(t, "now.go", w.files().Renamed(t.Context(), "kept.go"))
	move("b.go", "d.go")
	require.Equal(t, "c.go", w.files().Renamed(t.Context(), "a.go"), "the first one after it")
	require.Equal(t, "d.go", w.files().Renamed(t.Context(), "b.go"))
	w.git("mv", "c.go", "e.go")
	require.Equal(t, "e.go", w.files().Renamed(t.Context(), "a.go"), "staged")
	w.git("commit", "-qm", "move")
	another("c.go")
	w.git("rm", "-q", "e.go")
	require.Empty(t, w.files().Renamed(t.Context(), "a.go"), "deleted")

	move("tool", "tool.sh")
	another("tool/x")
	require.Equal(t, "tool.sh", w.files().Renamed(t.Context(), "tool"), "a directory is not the file")
}

func TestTouched(t *testing.T) {
	w := newWorked(t, "[a].go", "a.go")
	for _, subject := range []string{"one", "two", "thr\u00e9e " + strings.Repeat("x", 200)} {
		w.write("[a].go", subject)
		w.git("commit", "-qam", subject)
	}
	w.write("a.go", "other")
	w.git("commit", "-qam", "of the other")
	found := w.files().Touched(t.Context(), "[a].go", 2)
	require.Len(t, found, 2)
	require.Equal(t, w.git("rev-parse", "HEAD~1"), found[0].Hash)
	require.True(t, strings.HasPrefix(found[0].Subject, "thr\u00e9e xxx"))
	require.Less(t, len(found[0].Subject), 110)
	require.Equal(t, "two", found[1].Subject)
	require.Empty(t, w.files().Touched(t.Context(), "none.go", 3))
}
