package gitmatrix_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// marks returns the sentences that only this text has: in its summary, its first paragraph and its
// last paragraph. Anything that shortens a text removes the last one first, and the summary last.
func marks(name, who string) []string {
	return []string{mark("summary", name, who), mark("first", name, who), mark("late", name, who)}
}

func mark(where, name, who string) string {
	return fmt.Sprintf("The %s of %s is by %s.", where, name, who)
}

// label returns a tag that no other memory has.
func label(name, who string) string { return "label-" + name + "-" + who }

func summaryOf(name, who string) string {
	return "Connections of the pool. " + mark("summary", name, who)
}

// contentOf makes texts that git and people would find alike, except for their marks.
func contentOf(name, who string) string {
	return mark("first", name, who) + " It is about the connections of the pool, of which fifty are held open.\n\n" +
		"- a connection is given back at the end of a request\n- a request waits for a connection for two seconds\n\n" +
		"When the database restarts, all connections of the pool are broken, " +
		"and each is opened again at its next use.\nThe first request after that is slow.\n\n" +
		"The size of the pool was measured with the load of a Monday morning.\nWith thirty connections requests " +
		"waited, with a hundred the database did.\n\n" +
		"The pool is closed when the last request has ended.\n" +
		"A connection that is broken then is not opened again.\n\n" +
		mark("late", name, who) + "\n"
}

// files returns the files of memories and archives, keyed by path in the store.
func (p project) files() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	for _, dir := range []string{"memories", "archives"} {
		err := filepath.WalkDir(filepath.Join(p.store(), dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			found[dir+"/"+d.Name()] = strings.ReplaceAll(string(data), "\r\n", "\n")
			return err
		})
		if !errors.Is(err, fs.ErrNotExist) {
			require.NoError(p.t, err)
		}
	}
	return found
}

// union returns the text of all memories and archives.
func (p project) union() string {
	p.t.Helper()
	return strings.Join(slices.Collect(maps.Values(p.files())), "\n")
}

// held returns the sorted marks that memories and archives contain.
func (p project) held() []string {
	p.t.Helper()
	found := regexp.MustCompile(`The (?:summary|first|late) of \w+ is by \w+\.`).FindAllString(p.union(), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// keeps requires all of these marks in the store.
func (p project) keeps(t *testing.T, want []string) {
	t.Helper()
	held := p.with(t).held()
	lost := slices.DeleteFunc(slices.Clone(want), func(m string) bool { return slices.Contains(held, m) })
	require.Empty(t, lost, "texts are lost")
}

// inPlace requires that every text is in its own memory's files: git can mistake similar files for
// a rename and merge changes of one into the other. Memories in stored must be active, with their
// full text.
func (p project) inPlace(t *testing.T, ids map[string]string, stored []string) {
	t.Helper()
	files := p.with(t).files()
	for path, text := range files {
		for _, m := range regexp.MustCompile(
			`The (?:summary|first|late) of (\w+) is by|label-(\w+)-`).FindAllStringSubmatch(text, -1) {
			name := m[1] + m[2]
			require.Contains(t, path, ids[name], "%q is in the files of another memory", m[0])
		}
	}
	for _, name := range stored {
		who := strings.TrimPrefix(strings.TrimPrefix(name, "new"), "similar")
		for _, m := range marks(name, who) {
			require.Contains(t, files["memories/"+ids[name]+".md"], m, "a new memory is not where it was")
		}
	}
}

// inOrder requires that check finds no problem.
func (p project) inOrder(t *testing.T) {
	t.Helper()
	o := p.with(t).try("", "check")
	require.Zero(t, o.status, "ltm check: %s", o)
}

// idsIn returns the ids of memories in paths or texts.
func idsIn(text string) []string {
	found := regexp.MustCompile(`mem_[0-9a-f]{8}`).FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}
