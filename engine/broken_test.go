package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/tests/golden"
)

// broken is a damaged store, in a project of its own without git.
type broken struct {
	t      *testing.T
	dir    string // the store
	places store.Places
}

// emptyBroken returns a store without a file.
func emptyBroken(t *testing.T) broken {
	t.Helper()
	places := outsideOfGit(t.TempDir())
	return broken{t, places.Store, places}
}

// newBroken copies a store of testdata/broken. In its file names "dot-" replaces a leading dot,
// which git would act on.
func newBroken(t *testing.T, name string) broken {
	t.Helper()
	b := emptyBroken(t)
	b.lay(name)
	return b
}

// lay copies a store of testdata/broken over the present files.
func (b broken) lay(name string) {
	b.t.Helper()
	from := filepath.Join("..", "testdata", "broken", name)
	require.NoError(b.t, filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, file)
		require.NoError(b.t, err)
		data, err := os.ReadFile(file)
		parts := strings.Split(filepath.ToSlash(name), "/")
		for i, part := range parts {
			if rest, ok := strings.CutPrefix(part, "dot-"); ok {
				parts[i] = "." + rest
			}
		}
		b.write(path.Join(parts...), data)
		return err
	}))
}

func (b broken) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

func (b broken) write(name string, data []byte) {
	b.t.Helper()
	require.NoError(b.t, os.MkdirAll(filepath.Dir(b.path(name)), 0o755))
	require.NoError(b.t, os.WriteFile(b.path(name), data, 0o644))
}

// engine is a new process on the store.
func (b broken) engine() *engine.Engine {
	return engine.New(b.options())
}

func (b broken) options() engine.Options {
	return engine.Options{Store: store.New(b.places, time.Now), Version: "test", Now: time.Now, LockWait: patience}
}

func (b broken) check() api.CheckReport {
	b.t.Helper()
	r, err := b.engine().Check(context.Background())
	require.NoError(b.t, err)
	return r
}

func (b broken) fix(o api.FixOptions) (api.FixReport, error) {
	return b.engine().Fix(context.Background(), o)
}

// files returns what every file of the store holds. A link holds its target. What
// the clone keeps for itself and can lose is left out.
func (b broken) files() map[string]string {
	b.t.Helper()
	found := map[string]string{}
	require.NoError(b.t, filepath.WalkDir(b.dir, func(file string, d fs.DirEntry, err error) error {
		require.NoError(b.t, err)
		name, err := filepath.Rel(b.dir, file)
		name = filepath.ToSlash(name)
		switch {
		case err != nil || slices.Contains([]string{".local/lock", ".local/undo.jsonl", ".local/.gitignore"}, name):
			return err
		case d.IsDir() && (name == ".local/cache" || name == ".local/undo"):
			return fs.SkipDir
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(file)
			found[name] = "→ " + to
			return err
		case d.Type().IsRegular():
			data, err := os.ReadFile(file)
			found[name] = string(data)
			return err
		case !d.IsDir():
			found[name] = d.Type().String()
		}
		return nil
	}))
	return found
}

// ownText reports whether a file holds nothing that a person wrote or that was acknowledged: a
// derived index, counts that are whole, half a write.
func ownText(name, text string) bool {
	switch path.Base(name) {
	case "index.json":
		return true
	case "stats.json", "state.json":
		return json.Valid([]byte(text))
	}
	return regexp.MustCompile(`^\..*\.(md|json)(\.[0-9a-f]{12}|[0-9]+)$`).MatchString(path.Base(name))
}

// requireKept requires that all that was in a store still is: in the same file,
// with something added at most, or in another. Only what was to be removed may be
// gone.
func requireKept(t *testing.T, before, after map[string]string, removed ...string) {
	t.Helper()
	texts := slices.Collect(maps.Values(after))
	for name, text := range before {
		if ownText(name, text) || slices.Contains(removed, name) {
			continue
		}
		now, there := after[name]
		kept := slices.Contains(texts, text) || there && strings.HasPrefix(now, text) || keptSides(text, texts) ||
			keptStub(text, texts)
		require.True(t, kept, "%s is lost", name)
	}
}

// keptStub reports whether an archive has all of a stub but that it is one.
func keptStub(text string, texts []string) bool {
	ofStub := regexp.MustCompile(`(?m)^(phase|archived|archived_reason):.*\n`)
	return strings.Contains(text, "phase: 3\n") && slices.ContainsFunc(texts, func(archive string) bool {
		return ofStub.ReplaceAllString(archive, "") == ofStub.ReplaceAllString(text, "")
	})
}

// requireUntouched requires that no file has changed. Counters of an older layout may have been
// taken over, which comes before any change.
func requireUntouched(t *testing.T, before, after map[string]string) {
	t.Helper()
	for name, text := range after {
		was, there := before[name]
		taken := slices.Contains([]string{logName, ".local/stats.json", ".local/state.json"}, name)
		require.True(t, there && was == text || !there && taken && before["state.json"] != "", "%s was changed", name)
	}
	require.Subset(t, slices.Collect(maps.Keys(after)), slices.Collect(maps.Keys(before)))
}

// keptSides reports whether a text is an unresolved merge, and each of its sides is
// a file of its own by now. A stub has no text that could be lost.
func keptSides(text string, files []string) bool {
	sides := memfile.Sides([]byte(text))
	for _, side := range sides {
		if !side.Memory.IsStub() && !slices.Contains(files, string(side.Bytes())) {
			return false
		}
	}
	return len(sides) == 2
}

// requirePlan requires that a dry run plans what a repair then does.
func requirePlan(t *testing.T, planned, done api.FixReport) {
	t.Helper()
	require.True(t, planned.DryRun)
	require.False(t, done.DryRun)
	require.Equal(t, planned.Actions, done.Actions)
	require.Equal(t, planned.Left, done.Left)
}

// repair checks and repairs a store, requires what must hold for any damage, and returns what was
// reported and done.
func (b broken) repair() string {
	b.t.Helper()
	var story bytes.Buffer
	before := b.files()
	tellCheck(&story, "check", b.check())
	planned, err := b.fix(api.FixOptions{DryRun: true})
	require.Equal(b.t, before, b.files(), "looking changed something")
	if err != nil {
		_, again := b.fix(api.FixOptions{})
		require.Equal(b.t, err, again)
		requireUntouched(b.t, before, b.files())
		fmt.Fprintf(&story, "\nfix: refused: %v\n", err)
		return b.relative(story.String())
	}
	done, err := b.fix(api.FixOptions{})
	require.NoError(b.t, err)
	requirePlan(b.t, planned, done)
	tellFix(&story, "fix", done)
	after := b.files()
	requireKept(b.t, before, after)
	tellFiles(&story, before, after)

	check := b.check()
	tellCheck(&story, "check after it", check)
	for _, p := range check.Problems {
		// a check does not look where the text may be
		require.True(b.t, p.Repair == "" || p.Repair == "recover", "%v is left", p)
		require.NotEmpty(b.t, p.Reason[0].Kind, "what to do about %v", p)
	}
	second, err := b.fix(api.FixOptions{})
	require.NoError(b.t, err)
	require.Empty(b.t, second.Actions, "a second repair")
	require.Equal(b.t, wheres(check.Problems), wheres(second.Left))
	require.Equal(b.t, after, b.files())
	return b.relative(story.String())
}

// relative writes the paths of the store as the same on every machine.
func (b broken) relative(story string) string {
	return strings.ReplaceAll(filepath.ToSlash(story), filepath.ToSlash(b.dir)+"/", "")
}

// remove repairs a store with the options that delete.
func (b broken) remove() string {
	b.t.Helper()
	var story bytes.Buffer
	before := b.files()
	all := api.FixOptions{RemoveUnreadable: true, CleanOrphanedArchives: true}
	planned, err := b.fix(api.FixOptions{RemoveUnreadable: true, CleanOrphanedArchives: true, DryRun: true})
	if err != nil {
		return ""
	}
	done, err := b.fix(all)
	require.NoError(b.t, err)
	requirePlan(b.t, planned, done)
	var removed []string
	for _, a := range done.Actions {
		if a.Action == "remove_file" || a.Action == "remove_archive" {
			removed = append(removed, a.Target)
			fmt.Fprintf(&story, "%s %s\n", a.Action, a.Target)
		}
	}
	requireKept(b.t, before, b.files(), removed...)
	if len(removed) == 0 {
		return ""
	}
	return "\nwith the flags that delete:\n" + story.String()
}

// wheres returns the places of problems.
func wheres(problems []api.Problem) []string {
	found := make([]string, len(problems))
	for i, p := range problems {
		found[i] = p.Where
	}
	return found
}

// spelled writes a note with the kind and subject of what to do next.
func spelled(n memory.Note) string {
	var parts []string
	for _, r := range n {
		if r.Text != "" {
			parts = append(parts, r.Text)
		}
		if r.Kind != "" {
			parts = append(parts, strings.TrimRight("["+string(r.Kind)+" "+r.Subject, " ")+"]")
		}
	}
	return strings.Join(parts, "; ")
}

func tellCheck(w *bytes.Buffer, title string, r api.CheckReport) {
	fmt.Fprintf(w, "%s: %s\n", title, spelled(r.Summary))
	for _, p := range r.Problems {
		fmt.Fprintf(w, "%s | %s | %s\n", p.Kind, p.Where, spelled(p.Reason))
	}
	for _, p := range r.Remarks {
		fmt.Fprintf(w, "remark: %s | %s | %s\n", p.Kind, p.Where, spelled(p.Reason))
	}
}

func tellFix(w *bytes.Buffer, title string, r api.FixReport) {
	fmt.Fprintf(w, "\n%s: %s\n", title, r.Summary)
	for _, a := range r.Actions {
		fmt.Fprintf(w, "%s | %s | %s\n", a.Action, a.Target, a.Reason)
	}
	for _, p := range r.Left {
		fmt.Fprintf(w, "left | %s\n", p.Where)
	}
}

// logName is the log of a store outside of git.
const logName = ".local/log.jsonl"

// tellFiles describes what became of each file that changed.
func tellFiles(w *bytes.Buffer, before, after map[string]string) {
	var lines []string
	moved := map[string]bool{}
	for name, text := range before {
		now, there := after[name]
		switch {
		case there && now == text || name == logName:
			continue
		case there && strings.HasPrefix(now, text):
			lines = append(lines, fmt.Sprintf("%s got %q", name, now[len(text):]))
			continue
		}
		became := "is gone"
		for _, other := range slices.Sorted(maps.Keys(after)) {
			if _, was := before[other]; !was && after[other] == text {
				became = "became " + other
				moved[other] = true
			}
		}
		if there {
			became += ", and is new"
		}
		lines = append(lines, name+" "+became)
	}
	for name := range after {
		if _, was := before[name]; !was && !moved[name] && name != logName {
			lines = append(lines, name+" was made")
		}
	}
	slices.Sort(lines)
	w.WriteString("\nfiles:\n")
	for _, line := range append(lines, "") {
		if line != "" {
			fmt.Fprintln(w, strings.Replace(line, "is gone, and is new", "is new", 1))
		}
	}
	w.WriteByte('\n')
}

// TestEveryDamageIsNamedAndRepaired repairs each store of testdata/broken, and compares what was
// reported and done with NAME.txt beside it. For each of them, a dry run must plan what the
// repair does, a second repair must find nothing to do, only a person can fix what is left, and
// nothing that a person wrote is lost.
func TestEveryDamageIsNamedAndRepaired(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", "testdata", "broken"))
	require.NoError(t, err)
	stores := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		stores++
		t.Run(e.Name(), func(t *testing.T) {
			told := newBroken(t, e.Name()).repair() + newBroken(t, e.Name()).remove()
			golden.Require(t, filepath.Join("..", "testdata", "broken", e.Name()+".txt"), told)
		})
	}
	require.Greater(t, stores, 15)
}

// TestEveryDamageIsDocumented requires that docs/commands.md lists every finding of a check
// and every action of a repair.
func TestEveryDamageIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "commands.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## Check and fix\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	entries, err := os.ReadDir(filepath.Join("..", "testdata", "broken"))
	require.NoError(t, err)
	kinds := map[string]bool{}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		b := newBroken(t, e.Name())
		r := b.check()
		_, _ = b.fix(api.FixOptions{}) // it refuses files of a newer version
		after := b.check()             // what the predecessor left is remarked on when it counts no more
		for _, p := range slices.Concat(r.Problems, r.Remarks, after.Problems, after.Remarks) {
			kinds[p.Kind] = true
			require.Contains(t, section, "`"+p.Kind+"`")
			if p.Repair != "" && p.Repair != "archive_file" { // which is said in words
				require.Contains(t, section, "`"+p.Repair+"`")
			}
		}
	}
	require.GreaterOrEqual(t, len(kinds), 12)
}

// TestManyUnknownFilesAreOneRemark lays 130 files into a store that are not its
// own: 100 are listed, 30 counted, and none is touched.
func TestManyUnknownFilesAreOneRemark(t *testing.T) {
	b := newBroken(t, "sound")
	for i := range 130 {
		b.write(fmt.Sprintf("memories/photo%d.jpg", i), []byte{0xff, 0xd8, byte(i)})
	}
	r := b.check()
	require.True(t, r.OK)
	require.Len(t, r.Remarks, 101)
	require.Equal(t, "and 30 more", r.Remarks[100].Reason.String())
	require.Contains(t, r.Summary.String(), "130 remarks")
	before := b.files()
	done, err := b.fix(api.FixOptions{RemoveUnreadable: true, CleanOrphanedArchives: true})
	require.NoError(t, err)
	require.Empty(t, done.Actions)
	require.Equal(t, before, b.files())
}

// TestTwoDamagesAtOnce lays the stores of testdata/broken over each other in pairs and repairs
// both damages: what holds for one must hold beside the other.
func TestTwoDamagesAtOnce(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", "testdata", "broken"))
	require.NoError(t, err)
	for _, under := range entries {
		for _, over := range entries {
			if !under.IsDir() || !over.IsDir() || under.Name() == over.Name() {
				continue
			}
			t.Run(under.Name()+"+"+over.Name(), func(t *testing.T) {
				t.Parallel()
				b := newBroken(t, under.Name())
				b.lay(over.Name())
				b.repair()
			})
		}
	}
}
