package brief_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"ltm/engine/brief"
	"ltm/memory"
	"ltm/text/safe"
)

// lines returns the lines of memories in a compact block.
func lines(text string) (found []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "~") {
			found = append(found, line)
		}
	}
	return found
}

func compact(t *testing.T, all []*memory.Memory, known int, l brief.Limits) brief.Brief {
	t.Helper()
	l.Compact = true
	b, err := brief.Build(all, &counted{known: known, asked: map[memory.ID]bool{}}, l)
	require.NoError(t, err)
	return b
}

func TestACompactBlockHasALineForEachMemory(t *testing.T) {
	all := headers(5)
	low, lower := 0.5, 0.2
	all[0].Tags, all[0].Category = memory.WithImportance(nil, memory.Critical), memory.Emotional
	all[1].Confidence, all[1].Category, all[1].Content = &low, memory.Architectural, "A\n\n- list\r\n\tof  points"
	all[1].Summary = ""
	all[2].Content, all[2].Tags = strings.Repeat("long ", 100), memory.WithImportance(nil, memory.Important)
	all[3].Confidence, all[3].Conflicted = &lower, true
	b := compact(t, all, 4, brief.Limits{Tokens: 2000, Whole: 4})
	require.Equal(t, []string{
		"~EMOT:CRIT|mem_00000000| Topic 0: A summary.",
		"~ARCH:MED?|mem_00000001| Topic 1: A - list of points",
		"~NOTE:HIGH|mem_00000002| Topic 2: A summary.",
		"~NOTE:MED⚠|mem_00000004| Topic 4: A summary.",
		"~NOTE:MED?⚠|mem_00000003| Topic 3",
	}, lines(b.Text))
	require.Equal(t, 1, strings.Count(b.Text, `"⚠": `), "the signs are explained once")
	require.NotContains(t, b.Text, "More, by id")
	require.Empty(t, b.Critical)
	require.Equal(t, brief.NoLimit, b.Limit)
}

// TestACompactBlockShowsMore memories than a full one in the same budget.
func TestACompactBlockShowsMore(t *testing.T) {
	all := headers(60)
	for _, m := range all {
		m.Summary, m.Content = "What happened and why.", strings.Repeat("A detail of it. ", 60)
	}
	limits := brief.Limits{Tokens: 1500, Whole: 20}
	full, err := brief.Build(all, &counted{known: 99, asked: map[memory.ID]bool{}}, limits)
	require.NoError(t, err)
	b := compact(t, all, 99, limits)
	count := func(b brief.Brief, form brief.Form) (n int) {
		for _, p := range b.Parts {
			if p.Form == form {
				n++
			}
		}
		return n
	}
	require.Less(t, count(full, brief.Whole), count(b, brief.Whole))
	require.Equal(t, 20, count(b, brief.Whole))
}

// TestWhatEndsABlock tries each limit in both styles.
func TestWhatEndsABlock(t *testing.T) {
	for name, c := range map[string]struct {
		memories int
		limits   brief.Limits
		want     brief.Limit
	}{
		"nothing":    {3, brief.Limits{Tokens: 2000, Whole: 3}, brief.NoLimit},
		"the count":  {3, brief.Limits{Tokens: 2000, Whole: 2}, brief.ByWhole},
		"the budget": {300, brief.Limits{Tokens: 2000, Whole: 300}, brief.ByTokens},
		"the client": {600, brief.Limits{Tokens: 20_000, Whole: 600}, brief.ByClient},
	} {
		for _, isCompact := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", isCompact), func(t *testing.T) {
				c.limits.Compact = isCompact
				from := &counted{known: 999, asked: map[memory.ID]bool{}}
				b, err := brief.Build(headers(c.memories), from, c.limits)
				require.NoError(t, err)
				require.Equal(t, c.want, b.Limit)
				require.Equal(t, c.memories-len(shown(b)), b.Left)
				require.LessOrEqual(t, len(utf16.Encode([]rune(b.Text))), 9500)
				var chars float64
				for _, p := range b.Parts {
					chars += p.Chars
					require.Contains(t, b.Text, p.ID)
				}
				require.LessOrEqual(t, chars, float64(len(utf16.Encode([]rune(b.Text)))))
				if c.want == brief.ByClient {
					require.Equal(t, brief.Title, b.Parts[len(b.Parts)-1].Form, "room for titles is left")
				}
			})
		}
	}
}

// TestCriticalMemoriesBeyondTheClient are not blamed on the budget.
func TestCriticalMemoriesBeyondTheClient(t *testing.T) {
	all := headers(600)
	for _, m := range all {
		m.Tags = memory.WithImportance(nil, memory.Critical)
	}
	b := compact(t, all, 999, brief.Limits{Tokens: 20_000, Whole: 700})
	require.Regexp(t, `^600 critical memories exceed the 9500 characters that a client shows: \d+ shown`, b.Critical)
}

// FuzzCompact shows any text: it makes one line, and no part of it can pass for another.
func FuzzCompact(f *testing.F) {
	line := regexp.MustCompile(`^~(NOTE|EMOT|ARCH|LEARN|ACHV):(LOW|MED|HIGH|CRIT)\??⚠?\|(mem_[0-9a-f]{8})\| (.*)$`)
	f.Fuzz(func(t *testing.T, topic, summary, content string, phase uint8) {
		all := headers(3)
		all[1].Topic, all[1].Summary, all[1].Content = topic, summary, content
		all[1].Phase, all[1].Tags = memory.Phase(phase%3), []string{topic, content}
		b := compact(t, all, 1, brief.Limits{Tokens: 2000, Whole: 2})
		inner := strings.TrimSuffix(strings.TrimPrefix(b.Text, "<ltm-memory>\n"), "\n</ltm-memory>")
		require.Len(t, inner, len(b.Text)-len("<ltm-memory>\n\n</ltm-memory>"))
		require.Equal(t, inner, safe.Text(inner))
		found := lines(inner)
		require.Len(t, found, 3)
		for i, id := range []string{"mem_00000000", "mem_00000001", "mem_00000002"} {
			parts := line.FindStringSubmatch(found[i])
			require.NotNil(t, parts, found[i])
			require.Equal(t, id, parts[3])
			require.Equal(t, parts[4], strings.TrimRight(safe.Record(parts[4]), " "), "nothing more to take apart")
			require.NotRegexp(t, `(?i)[~～∼˜〜⁓∽]\pL|[\[［【][/／]?(ltm|ｌｔｍ)`, parts[4])
			require.Less(t, len([]rune(parts[4])), memory.MaxTopicChars+2*300+20)
		}
		require.Empty(t, strings.Join(strings.Split(inner, "\n")[4:], ""), "nothing follows the lines")
	})
}
