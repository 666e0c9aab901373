package secrets_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
	"ltm/text/secrets"
)

// The floors of every set.
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
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "secrets", name))
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
		kind := kinds[min(i, len(kinds))-1]
		e.want = append(e.want, secrets.Finding{Kind: kind, Start: start, End: start + len(secret)})
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

// count compares the findings of an example with its credentials. One is found if nothing of it is left when the
// findings are masked.
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

// set is a pair of files with examples, and the figures that are kept of them.
type set struct {
	with, without, stats    string
	halves                  bool // one half was tuned on, the other held out
	minPrecision, minRecall float64
}

func sets() []set {
	return []set{
		{"true.txt", "false.txt", "stats.txt", true, minPrecision, minRecall},
		{"true2.txt", "false2.txt", "stats2.txt", false, minPrecision, minRecall},
		{"true3.txt", "false3.txt", "stats3.txt", false, minPrecision, minRecall},
		{"true4.txt", "false4.txt", "stats4.txt", false, minPrecision, minRecall},
		{"true5.txt", "false5.txt", "stats5.txt", false, minPrecision, minRecall},
		{"true6.txt", "false6.txt", "stats6.txt", false, minPrecision, minRecall},
		{"true7.txt", "false7.txt", "stats7.txt", false, 0.97, 0.96},
	}
}

func (s set) examples(t testing.TB) []example {
	return slices.Concat(readExamples(t, s.with), readExamples(t, s.without))
}

// TestExamples keeps what is found, missed and found by mistake in golden files. "make update" takes the new
// figures; run with -v to see what went wrong where rules may be written from it.
func TestExamples(t *testing.T) {
	for _, s := range sets() {
		t.Run(s.stats, func(t *testing.T) {
			var got bytes.Buffer
			examples := s.examples(t)
			if s.halves {
				s.report(t, &got, "tuned on", examples, func(e example) bool { return !e.held }, true)
				s.report(t, &got, "held out", examples, func(e example) bool { return e.held }, false)
			} else {
				s.report(t, &got, "all", examples, func(example) bool { return true }, true)
			}
			golden.Require(t, filepath.Join("..", "..", "testdata", "secrets", s.stats), got.String())
		})
	}
}

// report adds the figures of the examples that count to a table.
func (s set) report(
	t *testing.T, got *bytes.Buffer, name string, examples []example, counts func(example) bool, show bool,
) {
	t.Helper()
	kinds, with, without := tallies{}, 0, 0
	for _, e := range examples {
		if !counts(e) {
			continue
		}
		if len(e.want) > 0 {
			with++
		} else {
			without++
		}
		for _, w := range kinds.count(e) {
			if show {
				t.Log(w)
			}
		}
	}
	fmt.Fprintf(got, "%s: %d examples with credentials, %d without\n", name, with, without)
	fmt.Fprintf(got, "  %-22s %6s %6s %6s %11s %7s\n", "kind", "true", "found", "missed", "other kind", "alarms")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[kind]
		fmt.Fprintf(got, "  %-22s %6d %6d %6d %11d %7d\n", kind, k.want, k.found, k.want-k.found, k.otherKind, k.alarms)
	}
	all := kinds.sum()
	missed := all.want - all.found
	fmt.Fprintf(got, "  %-22s %6d %6d %6d %11d %7d\n", "all", all.want, all.found, missed, all.otherKind, all.alarms)
	fmt.Fprintf(got, "  precision %.3f, recall %.3f\n", all.precision(), all.recall())
	require.GreaterOrEqual(t, all.precision(), s.minPrecision, "%s\n%s", name, got.String())
	require.GreaterOrEqual(t, all.recall(), s.minRecall, "%s\n%s", name, got.String())
}

// TestRawFiles holds the examples, and the tests, to their disguise: scanners of repositories must find nothing in
// them.
func TestRawFiles(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../testdata/secrets/*", "*.go", "testdata/fuzz/*/*"} {
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
	for _, s := range sets() {
		for _, e := range readExamples(t, s.with) {
			masked, n := secrets.Redact(e.text)
			require.Equal(t, n, strings.Count(masked, secrets.Mask), e.text)
			require.Empty(t, secrets.Find(masked), masked)
		}
	}
}
