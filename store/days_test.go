package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/store"
)

// TestDaysAreCounted by the zone of the times, as the person at the machine counts them.
func TestDaysAreCounted(t *testing.T) {
	at := time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("", -3600)) // March 2 in UTC
	s := &store.State{}
	require.Empty(t, s.ByDay())
	s.CountPrompt(at)
	s.CountSession(at.AddDate(0, 0, -5))
	s.CountPrompt(at)
	s.CountSession(at)
	data, err := json.Marshal(s)
	require.NoError(t, err)
	require.Contains(t, string(data), `"days":"2026-02-24 1 0,2026-03-01 1 2"`)
	require.Equal(t, []store.Day{{"2026-02-24", 1, 0}, {"2026-03-01", 1, 2}}, s.ByDay())
}

// TestDaysAreBounded whatever the file holds, and what is malformed there is not counted.
func TestDaysAreBounded(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var all []string
	for i := range 2 * store.MostDays {
		all = append(all, fmt.Sprint(now.AddDate(0, 0, -i).Format(time.DateOnly), " 1 1"))
	}
	s := &store.State{Days: strings.Join(all, ",") + ",,2026-13-01 1 1,2026-03-01 x 1,2026-03-01 -1 1," +
		"2026-03-01 9 9 9,2026-03-01 1 99999999999999999999"}
	s.CountPrompt(now)
	days := s.ByDay()
	require.Len(t, days, store.MostDays)
	require.Equal(t, store.Day{Date: "2026-03-01", Sessions: 1, Prompts: 2}, days[len(days)-1])
	require.Equal(t, "2025-11-02", days[0].Date)
}
