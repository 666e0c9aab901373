package secrets_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/secrets"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The floors of both halves of the examples.
const (
	minPrecision = 0.98
	minRecall    = 0.97
)

// example is a text, and where its credentials are.
type example struct {
	group string
	text  string
	want  []secrets.Finding
	held  bool // not looked at when rules are written
}

// readExamples reads a file of testdata/secrets as README.md there tells.
func readExamples(t testing.TB, name string) []example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "secrets", name))
	require.NoError(t, err)
	var out []example
	for group := range strings.SplitSeq(strings.ReplaceAll(string(data), "¦", ""), "\n=== ") {
		head, body, ok := strings.Cut(group, "\n")
		if strings.HasPrefix(head, "#") {
			continue
		}
		require.True(t, ok, head)
		form, kind, ok := strings.Cut(head, ": ")
		require.True(t, ok, head)
		switch form {
		case "lines":
			for line := range strings.Lines(body) {
				if line = strings.TrimSuffix(line, "\n"); line != "" {
					out = append(out, newExample(kind, line))
				}
			}
		case "text":
			out = append(out, newExample(kind, strings.TrimRight(body, "\n")))
		default:
			require.Fail(t, "unknown form", head)
		}
	}
	return out
}

func newExample(group, marked string) example {
	e := example{group: group}
	kinds := strings.Split(group, ", ")
	h := fnv.New32a()
	h.Write([]byte(marked))
	e.held = h.Sum32()%2 == 1
	for i, part := range strings.Split(marked, "«") {
		if i == 0 {
			e.text = part
			continue
		}
		secret, rest, _ := strings.Cut(part, "»")
		start := len(e.text)
		e.want = append(e.want, secrets.Finding{Kind: kinds[min(i, len(kinds))-1], Start: start, End: start + len(secret)})
		e.text += secret + rest
	}
	return e
}

// tally counts what was found of a kind.
type tally struct{ want, found, otherKind, alarms int }

type tallies map[string]*tally

func (c tallies) of(kind string) *tally {
	if c[kind] == nil {
		c[kind] = &tally{}
	}
	return c[kind]
}

// count compares the findings of an example with its credentials. One is found if
// nothing of it is left when the findings are masked.
func (c tallies) count(e example) (wrong []string) {
	found := secrets.Find(e.text)
	for _, w := range e.want {
		k := c.of(w.Kind)
		k.want++
		i := slices.IndexFunc(found, func(f secrets.Finding) bool { return f.Start <= w.Start && f.End >= w.End })
		switch {
		case i < 0:
			wrong = append(wrong, "missed "+w.Kind+": "+e.text)
		case found[i].Kind != w.Kind:
			k.otherKind++
			fallthrough
		default:
			k.found++
		}
	}
	for _, f := range found {
		if !slices.ContainsFunc(e.want, func(w secrets.Finding) bool { return f.Start < w.End && w.Start < f.End }) {
			c.of(f.Kind).alarms++
			wrong = append(wrong, fmt.Sprintf("alarm %s %q: %s", f.Kind, e.text[f.Start:f.End], e.text))
		}
	}
	return wrong
}

func (c tallies) sum() (all tally) {
	for _, k := range c {
		all.want += k.want
		all.found += k.found
		all.otherKind += k.otherKind
		all.alarms += k.alarms
	}
	return all
}

func (k tally) precision() float64 { return float64(k.found) / float64(max(1, k.found+k.alarms)) }
func (k tally) recall() float64    { return float64(k.found) / float64(max(1, k.want)) }

// TestExamples keeps what is found, missed and taken for a credential in a golden
// file. Run with -update to take the new figures, with -v to see what went wrong
// in the half that rules may be written from.
func TestExamples(t *testing.T) {
	var got bytes.Buffer
	examples := slices.Concat(readExamples(t, "true.txt"), readExamples(t, "false.txt"))
	for _, held := range []bool{false, true} {
		name := map[bool]string{false: "tuned on", true: "held out"}[held]
		counts, with, without := tallies{}, 0, 0
		for _, e := range examples {
			if e.held != held {
				continue
			}
			if len(e.want) > 0 {
				with++
			} else {
				without++
			}
			for _, w := range counts.count(e) {
				if !held {
					t.Log(w)
				}
			}
		}
		fmt.Fprintf(&got, "%s: %d examples with credentials, %d without\n", name, with, without)
		fmt.Fprintf(&got, "  %-22s %6s %6s %6s %11s %7s\n", "kind", "true", "found", "missed", "other kind", "alarms")
		for _, kind := range slices.Sorted(maps.Keys(counts)) {
			k := counts[kind]
			fmt.Fprintf(&got, "  %-22s %6d %6d %6d %11d %7d\n", kind, k.want, k.found, k.want-k.found, k.otherKind, k.alarms)
		}
		all := counts.sum()
		fmt.Fprintf(&got, "  %-22s %6d %6d %6d %11d %7d\n", "all", all.want, all.found, all.want-all.found, all.otherKind, all.alarms)
		fmt.Fprintf(&got, "  precision %.3f, recall %.3f\n", all.precision(), all.recall())
		require.GreaterOrEqual(t, all.precision(), minPrecision, "%s\n%s", name, got.String())
		require.GreaterOrEqual(t, all.recall(), minRecall, "%s\n%s", name, got.String())
	}

	golden := filepath.Join("..", "testdata", "secrets", "stats.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

// TestRawFiles holds the examples, and the tests, to their disguise: scanners of
// repositories must find nothing in them.
func TestRawFiles(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../testdata/secrets/*", "*.go", "testdata/fuzz/*/*"} {
		matches, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, matches...)
	}
	require.Greater(t, len(files), 5)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, f := range secrets.Find(string(data)) {
			t.Errorf("%s: %s: %q", name, f.Kind, data[f.Start:f.End])
		}
	}
}

func TestExamplesAreMasked(t *testing.T) {
	for _, e := range readExamples(t, "true.txt") {
		masked, n := secrets.Redact(e.text)
		require.Equal(t, n, strings.Count(masked, secrets.Mask), e.text)
		require.Empty(t, secrets.Find(masked), masked)
	}
}
