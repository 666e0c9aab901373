package brief_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/brief"
	"ltm/memory"
)

// counted is a source of memories from elsewhere, but for the first known, that counts
// what it is asked.
type counted struct {
	known int
	asked map[memory.ID]bool
}

func (c *counted) Read(header memory.Memory) (m memory.Memory, foreign, ok bool, err error) {
	return header, c.Foreign(header), true, nil
}

func (c *counted) Said(memory.ID) brief.Said { return brief.Said{} }

func (c *counted) Foreign(m memory.Memory) bool { return c.Unrecorded(&m) }

func (c *counted) Unrecorded(h *memory.Memory) bool {
	c.asked[h.ID] = true
	return h.ID >= headers(c.known + 1)[c.known].ID
}

// Altered reports true: it is asked only about foreign memories that have a signature.
func (c *counted) Altered(memory.ID) bool { return true }

func headers(n int) []*memory.Memory {
	all := make([]*memory.Memory, n)
	for i := range all {
		all[i] = &memory.Memory{ID: memory.ID(fmt.Sprintf("mem_%08d", i)), Topic: fmt.Sprint("Topic ", i),
			Summary: "A summary.", Content: "A summary."}
	}
	return all
}

// shown returns the memories that a block names.
func shown(b brief.Brief) (all []memory.ID) {
	for _, p := range b.Parts {
		all = append(all, p.ID)
	}
	return all
}

// alone returns a block without memories of the project.
func alone(t *testing.T, l brief.Limits) brief.Brief {
	t.Helper()
	b, err := brief.Build(nil, &counted{asked: map[memory.ID]bool{}}, l)
	require.NoError(t, err)
	return b
}

// TestABlockAsksAboutFewMemories because each question searches the record of trust.
func TestABlockAsksAboutFewMemories(t *testing.T) {
	from := &counted{known: 500, asked: map[memory.ID]bool{}}
	b, err := brief.Build(headers(1000), from, brief.Limits{Tokens: 500, Whole: 5})
	require.NoError(t, err)
	require.NotEmpty(t, shown(b))
	require.LessOrEqual(t, len(from.asked), len(shown(b))+4)
}

// TestABlockSaysNothingTwice shows the content alone where the summary was derived from it.
func TestABlockSaysNothingTwice(t *testing.T) {
	content := "Causes:\n\n- the pool\n- a lock\n"
	for summary, want := range map[string]string{
		"Causes: the pool; a lock": "\n> Causes:\n>\n> - the pool\n> - a lock\n",
		"It hangs for two causes.": "\n> It hangs for two causes.\n>\n> Causes:\n>\n> - the pool\n> - a lock\n",
	} {
		one := &memory.Memory{ID: "mem_00000001", Topic: "Why it hangs", Summary: summary, Content: content}
		b, err := brief.Build([]*memory.Memory{one}, &counted{known: 1, asked: map[memory.ID]bool{}},
			brief.Limits{Tokens: 500, Whole: 1})
		require.NoError(t, err)
		require.Contains(t, b.Text, "\n## mem_00000001\n> # Why it hangs"+want)
	}
}

func TestABlockSaysOnceThatAllIsFromElsewhere(t *testing.T) {
	limits := brief.Limits{Tokens: 2000, Whole: 2}
	for _, c := range []struct {
		name  string
		known int
		once  bool
	}{{"none known", 0, true}, {"one known", 1, false}} {
		t.Run(c.name, func(t *testing.T) {
			b, err := brief.Build(headers(4), &counted{known: c.known, asked: map[memory.ID]bool{}}, limits)
			require.NoError(t, err)
			require.Len(t, shown(b), 4)
			if c.once {
				require.Contains(t, b.Text, "None of it was written in this clone.")
				require.NotContains(t, b.Text, brief.FromElsewhere)
			} else {
				require.NotContains(t, b.Text, "None of it was written in this clone.")
				require.Contains(t, b.Text, "mem_00000001 · "+brief.FromElsewhere)
				require.Contains(t, b.Text, "- mem_00000003 ("+brief.FromElsewhere+") ")
			}
		})
	}
}

// TestWhatDoesNotFitWholeComesFirstAsALine and leaves the headers as they were.
func TestWhatDoesNotFitWholeComesFirstAsALine(t *testing.T) {
	all := headers(5)
	all[1].Summary = strings.Repeat("long ", 4000)
	all[3].Tags = memory.WithImportance(nil, memory.Critical)
	before := headers(5)
	before[1].Summary, before[3].Tags = all[1].Summary, all[3].Tags
	limits := brief.Limits{Tokens: 1000, Whole: 3}
	b, err := brief.Build(all, &counted{known: 9, asked: map[memory.ID]bool{}}, limits)
	require.NoError(t, err)
	require.Equal(t, before, all)
	require.Equal(t, []memory.ID{"mem_00000003", "mem_00000000", "mem_00000001", "mem_00000002", "mem_00000004"},
		shown(b))
}

// TestADoubtfulMemoryTakesNoOthersPlace has one before a sure one, where one is shown whole.
func TestADoubtfulMemoryTakesNoOthersPlace(t *testing.T) {
	all := headers(2)
	low := 0.2
	all[0].Confidence, all[0].Content = &low, "What may be wrong."
	from := &counted{known: 2, asked: map[memory.ID]bool{}}
	b, err := brief.Build(all, from, brief.Limits{Tokens: 2000, Whole: 1})
	require.NoError(t, err)
	require.NotContains(t, b.Text, "What may be wrong.")
	require.Contains(t, b.Text, "- mem_00000000 ")
	require.Contains(t, b.Text, "\n## mem_00000001\n> # Topic 1\n")
}

// TestABlockMarksWhatWasAltered explains the mark once, and only if it is shown.
func TestABlockMarksWhatWasAltered(t *testing.T) {
	limits := brief.Limits{Tokens: 2000, Whole: 2}
	all := headers(4)
	all[1].Signature, all[3].Signature = "v1:x:y", "v1:x:y"
	build := func(known int, all []*memory.Memory) string {
		b, err := brief.Build(all, &counted{known: known, asked: map[memory.ID]bool{}}, limits)
		require.NoError(t, err)
		return b.Text
	}
	text := build(1, all)
	require.Contains(t, text, "mem_00000001 · altered after signing\n")
	require.Contains(t, text, "- mem_00000003 (altered after signing) > Topic 3\n")
	require.Contains(t, text, "- mem_00000002 (from elsewhere) > Topic 2\n")
	require.Equal(t, 1, strings.Count(text, `"altered after signing": it does not say`))
	require.Contains(t, build(0, all), "(altered after signing)", "also if all is from elsewhere")
	require.NotContains(t, build(4, all), "altered")
	require.NotContains(t, build(0, headers(4)), "altered")
	mentions := brief.PromptBlock([]brief.Mention{{ID: "mem_00000001", Topic: "t", Foreign: true, Altered: true}}, nil)
	require.Contains(t, mentions, "- mem_00000001 (altered after signing) > t:")
}
