package memory_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestParseID(t *testing.T) {
	for _, good := range []string{"mem_1a2b3c4d", " MEM_1A2B3C4D ", "1a2b3c4d", "mem_1a2b3c4d.md"} {
		id, err := memory.ParseID(good)
		require.NoError(t, err)
		require.Equal(t, memory.ID("mem_1a2b3c4d"), id)
	}
	for _, bad := range []string{"", "../../x", "mem_", "mem_1a2b3c4g", "mem_1a2b3c4d5", "mem_1a2b3c4d/..",
		"mem_1a2b3c4d\x00"} {
		_, err := memory.ParseID(bad)
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err), "%q", bad)
	}
}

func TestNormalizeTags(t *testing.T) {
	tags, err := memory.NormalizeTags([]string{" Big  Data ", "#go", "big data", "", "IMPORTANCE:Critical"})
	require.NoError(t, err)
	require.Equal(t, []string{"big-data", "go", "importance:critical"}, tags)
	_, err = memory.NormalizeTags([]string{"importance:urgent"})
	require.ErrorContains(t, err, "critical, important, normal, low")
	_, err = memory.NormalizeTags(make21())
	require.ErrorContains(t, err, "at most 20 tags")
	_, err = memory.NormalizeTags([]string{strings.Repeat("x", 51)})
	require.ErrorContains(t, err, "at most 50 characters")
}

func make21() []string {
	tags := make([]string, 21)
	for i := range tags {
		tags[i] = strings.Repeat("t", i+1)
	}
	return tags
}

func TestImportance(t *testing.T) {
	require.Equal(t, memory.Critical, memory.ImportanceOf([]string{"importance:low", "importance:critical"}))
	require.Equal(t, memory.Normal, memory.ImportanceOf([]string{"critical"}))
	require.Equal(t, []string{"a", "importance:low"}, memory.WithImportance([]string{"importance:critical", "a"},
		memory.Low))
	require.Equal(t, []string{"a"}, memory.WithImportance([]string{"importance:critical", "a"}, memory.Normal))
}

func TestNewID(t *testing.T) {
	require.Equal(t, memory.ID("mem_00ff1a2b"), memory.NewID([4]byte{0, 0xff, 0x1a, 0x2b}))
	require.Equal(t, "mem_00ff1a2b.md", memory.NewID([4]byte{0, 0xff, 0x1a, 0x2b}).File())
}

func TestPhases(t *testing.T) {
	for phase, name := range map[memory.Phase]string{
		memory.Full: "whole", memory.Hint: "hint", memory.Abstract: "abstract", memory.Removed: "out of sight",
		4: "unknown", -1: "unknown",
	} {
		require.Equal(t, name, phase.String())
		require.Equal(t, phase >= memory.Full && phase <= memory.Abstract, phase.Active(), name)
	}
	for _, text := range []string{"0", "whole", "3", "out of sight"} {
		phase, err := memory.ParsePhase(text)
		require.NoError(t, err)
		require.Equal(t, len(text) > 5 || text == "3", phase == memory.Removed)
	}
	for _, text := range []string{"4", "removed", "full", "Whole", "", "-1", "full "} {
		_, err := memory.ParsePhase(text)
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err), text)
	}
}

func TestImportanceTags(t *testing.T) {
	require.True(t, memory.IsImportanceTag(" Importance:whatever"))
	require.False(t, memory.IsImportanceTag("important"))
	require.Equal(t, memory.Critical, memory.Memory{Tags: []string{"Importance:CRITICAL"}}.Importance())
	require.Equal(t, memory.Normal, memory.ImportanceOf([]string{"importance:urgent"}))
}

// TestNormalize makes one field at a time invalid.
func TestNormalize(t *testing.T) {
	good := memory.Memory{ID: "mem_00000001", Topic: " A  topic ", Tags: []string{"B b"}, Difficulty: 0.123,
		Content: "\r\n\r\n  x\r\n\r\n"}
	m, err := memory.Normalize(good)
	require.NoError(t, err)
	require.Equal(t, memory.Memory{ID: "mem_00000001", Topic: "A topic", Tags: []string{"b-b"}, Difficulty: 0.12,
		Content: "  x"}, m)
	again, err := memory.Normalize(m)
	require.NoError(t, err)
	require.Equal(t, m, again)

	conflict := "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs"
	for name, change := range map[string]func(*memory.Memory){
		"id":           func(m *memory.Memory) { m.ID = "mem_1" },
		"topic":        func(m *memory.Memory) { m.Topic = " \n" },
		"long topic":   func(m *memory.Memory) { m.Topic = strings.Repeat("ä", 201) },
		"tags":         func(m *memory.Memory) { m.Tags = []string{"\xff"} },
		"long summary": func(m *memory.Memory) { m.Summary = strings.Repeat("ä", 1001) },
		"no content":   func(m *memory.Memory) { m.Content = "\n \n" },
		"large content": func(m *memory.Memory) {
			m.Content = strings.Repeat("x",
				memory.MaxContentBytes+1)
		},
		"NUL":                     func(m *memory.Memory) { m.Content = "a\x00b" },
		"conflict":                func(m *memory.Memory) { m.Content = conflict },
		"conflict in the summary": func(m *memory.Memory) { m.Summary = conflict },
		"content of an abstract":  func(m *memory.Memory) { m.Phase, m.Content = memory.Abstract, "a\x00b" },
		"difficulty":              func(m *memory.Memory) { m.Difficulty = 1.01 },
		"difficulty not a number": func(m *memory.Memory) { m.Difficulty = math.NaN() },
		"phase of a stub":         func(m *memory.Memory) { m.Phase = memory.Removed },
		"conflict across sections": func(m *memory.Memory) {
			m.Summary, m.Content = "<<<<<<< a\nx\n=======",
				"y\n>>>>>>> b"
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := good
			change(&m)
			got, err := memory.Normalize(m)
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
			require.Equal(t, memory.Memory{}, got)
		})
	}
	abstract := good
	abstract.Phase, abstract.Content = memory.Abstract, ""
	_, err = memory.Normalize(abstract)
	require.NoError(t, err, "an abstract has no content")
}

func TestCheckQuery(t *testing.T) {
	require.NoError(t, memory.CheckQuery("why"))
	for _, query := range []string{"", " \n\t", strings.Repeat("x", memory.MaxQueryBytes+1)} {
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(memory.CheckQuery(query)))
	}
}

func TestWorkMinus(t *testing.T) {
	now := memory.Work{Calls: 5, Failures: 2, Retries: 1, Tokens: 900, Compacted: true, AgentCalls: 3, AgentFailures: 1,
		Source: memory.SourceHooks}
	require.Equal(t, memory.Work{Calls: 3, Failures: 1, Retries: 1, Tokens: 500, Compacted: true, AgentCalls: 2,
		AgentFailures: 1,
		Source:        memory.SourceHooks}, now.Minus(memory.Work{Calls: 2, Failures: 1, Tokens: 400, AgentCalls: 1}))
	require.Equal(t, memory.Work{Compacted: true, Source: memory.SourceHooks},
		now.Minus(memory.Work{Calls: 9, Failures: 9, Retries: 9,
			Tokens: 9000, AgentCalls: 9, AgentFailures: 9}), "counts that were begun again are not negative")
}

func TestRoundingAndBounds(t *testing.T) {
	for v, want := range map[float64]float64{-1: 0, 0: 0, 0.5: 0.5, 1: 1, 2: 1, math.Inf(1): 1, math.Inf(-1): 0} {
		require.Equal(t, want, memory.Clamp01(v))
	}
	require.Zero(t, memory.Clamp01(math.NaN()))
	require.Equal(t, 0.13, memory.Round2(0.125))
}

func TestQuote(t *testing.T) {
	require.Equal(t, `"äö…"`, memory.Quote("äöü", 2))
	require.Equal(t, `"äöü"`, memory.Quote("äöü", 3))
	require.Equal(t, `"\x1b[2J\u202e\n…"`, memory.Quote("\x1b[2J\u202e\nx", 6))
	require.Equal(t, `"\xff"`, memory.Quote("\xff", 1))
}

func TestClipTopic(t *testing.T) {
	for given, want := range map[string]string{
		"":                       "",
		" a\n b\x07c\u00a0d ":    "a b c d",
		strings.Repeat("ä", 200): strings.Repeat("ä", 200),
		strings.Repeat("ä", 201): strings.Repeat("ä", 199) + "…",
	} {
		got := memory.ClipTopic(given)
		require.Equal(t, want, got)
		if got != "" {
			topic, err := memory.NormalizeTopic(got)
			require.NoError(t, err)
			require.Equal(t, got, topic)
		}
	}
}

// TestNewDraft gives a draft its stored form, with the importance among the tags.
func TestNewDraft(t *testing.T) {
	draft := memory.Memory{Topic: " a  b", Content: "\nText.\r\n", Tags: []string{"Go", "go", "Importance:low"},
		Supersedes: []memory.ID{"00000002"}}
	got, err := memory.NewDraft(draft, memory.Low)
	require.NoError(t, err)
	require.Equal(t, memory.Memory{Topic: "a b", Content: "Text.", Tags: []string{"go", "importance:low"},
		Supersedes: []memory.ID{"mem_00000002"}}, got)
	_, err = memory.NewDraft(draft, memory.Critical)
	require.Equal(t, memory.KindImportanceTwice, memory.KindOf(err))
	draft.Tags = nil
	for i := range memory.MaxTags {
		draft.Tags = append(draft.Tags, fmt.Sprint("t", i))
	}
	_, err = memory.NewDraft(draft, "")
	require.NoError(t, err)
	_, err = memory.NewDraft(draft, memory.Low)
	require.Equal(t, memory.KindTagsTooMany, memory.KindOf(err), "the importance is a tag, too")
	draft.Topic = "\n"
	_, err = memory.NewDraft(draft, memory.Low)
	require.Equal(t, memory.KindTopicEmpty, memory.KindOf(err))
}
