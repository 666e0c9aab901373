package api_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func TestParseAge(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"180d": 180 * day, "1d": day, "26w": 26 * 7 * day, " 2w ": 14 * day, "72h": 72 * time.Hour,
		"1h30m":   90 * time.Minute,
		"106751d": 106751 * day, // the most days that a duration holds: 2^63 ns / 86400e9 ns = 106751.99
		"15250w":  15250 * 7 * day,
	} {
		t.Run(text, func(t *testing.T) {
			got, err := api.ParseAge(text)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
	for _, text := range []string{"", "d", "w", "180", "-1d", "+1d", "0d", "0h", "-72h", "1.5d", "1d12h", "soon",
		"106752d", "15251w", "9999999999999999999999d", "1y", "1m1d", "6m", "90m", "30s", "1000000ms"} {
		t.Run("not "+text, func(t *testing.T) {
			_, err := api.ParseAge(text)
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
			require.ErrorContains(t, err,
				`is not an age; allowed: whole days ("180d") or weeks ("26w"), or hours ("72h")`)
		})
	}
}

func TestParseInclude(t *testing.T) {
	for text, want := range map[string]api.Include{
		"": api.IncludeActive, "active": api.IncludeActive, "Archives": api.IncludeArchives, " all ": api.IncludeAll,
	} {
		got, err := api.ParseInclude(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := api.ParseInclude("archive")
	require.EqualError(t, err, `"archive" cannot be included; allowed: active, archives, all`)
}

func TestParseOrder(t *testing.T) {
	for text, want := range map[string]api.Order{"": api.ByPriority, " Age ": api.ByAge, "used": api.ByUse,
		"topic": api.ByTopic} {
		got, err := api.ParseOrder(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := api.ParseOrder("newest")
	require.ErrorContains(t, err, "priority, age, used, topic")
}

func TestEmptyPatch(t *testing.T) {
	text, number, tags := "", 0.0, []string{}
	require.True(t, api.Patch{Session: "s", Redact: true}.Empty(), "session and redact change nothing by themselves")
	for name, patch := range map[string]api.Patch{
		"topic": {Topic: &text}, "content": {Content: &text}, "append": {Append: &text}, "summary": {Summary: &text},
		"tags": {Tags: &tags}, "add": {AddTags: []string{"x"}}, "remove": {RemoveTags: []string{"x"}},
		"importance": {Importance: memory.Low}, "difficulty": {Difficulty: &number},
	} {
		require.False(t, patch.Empty(), name)
	}
}

func TestAnUnknownTimeIsNull(t *testing.T) {
	for want, at := range map[string]time.Time{"null": {},
		`"2026-01-15T10:30:00Z"`: time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC)} {
		got, err := json.Marshal(api.Time{Time: at})
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func TestArrival(t *testing.T) {
	_, known := api.Arrival(t.Context())
	require.False(t, known)
	at, known := api.Arrival(api.WithArrival(t.Context(), time.Unix(1, 0)))
	require.True(t, known)
	require.Equal(t, time.Unix(1, 0), at)
}
