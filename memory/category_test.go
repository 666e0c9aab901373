package memory_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestParseCategory(t *testing.T) {
	for given, want := range map[string]memory.Category{
		"": "", "emotional": memory.Emotional, "EMOT": memory.Emotional, " Architectural ": memory.Architectural,
		"arch": memory.Architectural, "learning": memory.Learnings, "LEARNINGS": memory.Learnings,
		"Learn": memory.Learnings, "achievement": memory.Achievements, "ACHV": memory.Achievements,
	} {
		got, err := memory.ParseCategory(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got, given)
	}
	for _, given := range []string{"none", "emo", "pattern", "emotional, learnings", "\x00"} {
		_, err := memory.ParseCategory(given)
		require.Equal(t, memory.KindCategoryUnknown, memory.KindOf(err), given)
	}
	for _, category := range memory.Categories() {
		got, err := memory.ParseCategory(string(category))
		require.NoError(t, err)
		require.Equal(t, category, got)
	}
}

func TestCategoriesHaveAnOrderAndAShortForm(t *testing.T) {
	for i, category := range memory.Categories() {
		require.Equal(t, i, category.Rank())
		got, err := memory.ParseCategory(category.Short())
		require.NoError(t, err)
		require.Equal(t, category, got)
	}
	for _, none := range []memory.Category{"", "pattern"} {
		require.Equal(t, len(memory.Categories()), none.Rank())
		require.Empty(t, none.Short())
	}
}

func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		given            float64
		unsure, doubtful bool
	}{{0, true, true}, {0.29, true, true}, {0.3, true, false}, {0.69, true, false}, {0.7, false, false}} {
		sure, err := memory.Sureness(c.given)
		require.NoError(t, err)
		m := memory.Memory{Confidence: sure}
		require.Equal(t, c.given, *sure)
		require.Equal(t, c.unsure, m.Unsure(), "%v", c.given)
		require.Equal(t, c.doubtful, m.Doubtful(), "%v", c.given)
	}
	certain, err := memory.Sureness(1)
	require.NoError(t, err)
	require.Nil(t, certain)
	require.False(t, memory.Memory{}.Unsure())
	zero, err := memory.Sureness(math.Copysign(0, -1))
	require.NoError(t, err)
	require.False(t, math.Signbit(*zero))
	for _, given := range []float64{-0.1, 1.01, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := memory.Sureness(given)
		require.Equal(t, memory.KindConfidenceRange, memory.KindOf(err), "%v", given)
	}
}

func TestImpactIsAnotherWordForImportance(t *testing.T) {
	for given, want := range map[string]memory.Importance{"LOW": memory.Low, "MEDIUM": memory.Normal,
		"High": memory.Important, "CRITICAL": memory.Critical, "importance:high": memory.Important} {
		got, err := memory.ParseImportance(given)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	tag, err := memory.NormalizeTag("Importance:HIGH")
	require.NoError(t, err)
	require.Equal(t, "importance:important", tag, "one stored form")
	require.Equal(t, memory.Important, memory.ImportanceOf([]string{"importance:high"}))
	require.Equal(t, memory.Normal, memory.ImportanceOf([]string{"importance:medium"}))
}

func TestSurenessChecksBeforeItRounds(t *testing.T) {
	for _, v := range []float64{1.004, -0.004, -0.001} {
		_, err := memory.RoundedSureness(v)
		require.Equal(t, memory.KindConfidenceRange, memory.KindOf(err), v)
	}
	kept, err := memory.RoundedSureness(0.123)
	require.NoError(t, err)
	require.Equal(t, 0.12, *kept)
	kept, err = memory.RoundedSureness(0.999)
	require.NoError(t, err)
	require.Nil(t, kept)
}
