package page_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones are the same wherever the tests run

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

// storedAt is a log with a memory stored at each of the times.
func storedAt(times ...string) func() []memory.Event {
	return func() (all []memory.Event) {
		for _, text := range times {
			at, _ := time.Parse(time.RFC3339, text) // a zero time would be on no chart
			all = append(all, memory.Event{Time: at, Action: memory.ActionStored, ID: "mem_00000001"})
		}
		return all
	}
}

// TestDaysAreThoseOfTheZone has times just before and after midnight, around days of 23, 25 and 24 hours.
func TestDaysAreThoseOfTheZone(t *testing.T) {
	for name, c := range map[string]struct {
		zone, now string
		stored    []string
		want      []string
	}{
		"spring, 23 hours": {"Europe/Berlin", "2026-03-30T08:00:00Z",
			[]string{"2026-03-28T22:59:59Z", "2026-03-28T23:00:01Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:01Z"},
			[]string{"2026-03-28: 1 stored", "2026-03-29: 2 stored", "2026-03-30: 1 stored"}},
		"autumn, 25 hours": {"Europe/Berlin", "2026-10-26T08:00:00Z",
			[]string{"2026-10-24T21:59:59Z", "2026-10-24T22:00:01Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:01Z"},
			[]string{"2026-10-24: 1 stored", "2026-10-25: 2 stored", "2026-10-26: 1 stored"}},
		"no midnight": {"America/Santiago", "2026-09-07T12:00:00Z",
			[]string{"2026-09-06T03:59:59Z", "2026-09-06T04:00:01Z", "2026-09-07T02:59:59Z", "2026-09-07T03:00:01Z"},
			[]string{"2026-09-05: 1 stored", "2026-09-06: 2 stored", "2026-09-07: 1 stored"}},
		"far east": {"Pacific/Kiritimati", "2026-03-09T23:00:00Z",
			[]string{"2026-03-08T09:59:59Z", "2026-03-08T10:00:01Z", "2026-03-09T10:00:01Z"},
			[]string{"2026-03-08: 1 stored", "2026-03-09: 1 stored", "2026-03-10: 1 stored"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := someMemories()
			f.zone, f.events = zone(t, c.zone), storedAt(c.stored...)
			var err error
			f.now, err = time.Parse(time.RFC3339, c.now)
			require.NoError(t, err)
			site, _ := newSite(t, f)
			page := enter(t, site).get("/time").Body.String()
			changes := between(t, page, `aria-labelledby="changes"`, "</figure>")
			require.Equal(t, len(c.want), strings.Count(changes, "<g>"))
			for i, want := range c.want {
				require.Contains(t, changes, want)
				day, _, _ := strings.Cut(c.want[len(c.want)-1-i], ":")
				row := strings.Split(between(t, page, "<tbody>", "</tbody>"), "<tr>")[i+1]
				require.Contains(t, row, day, "each day has one row, the newest first")
			}
			last, err := time.Parse(time.DateOnly, c.want[len(c.want)-1][:10])
			require.NoError(t, err)
			require.Contains(t, changes, "<span>"+last.Format("Jan 2")+"</span>", "today is the last")
		})
	}
}

// TestADayAloneIsTheSameEverywhere has a memory of which only the day is known, and what is counted by days already.
func TestADayAloneIsTheSameEverywhere(t *testing.T) {
	for _, name := range []string{"America/Los_Angeles", "Asia/Tokyo"} {
		f := someMemories()
		f.now, f.zone = time.Date(2026, 3, 10, 20, 0, 0, 0, time.UTC), zone(t, name)
		f.memories[0].CreatedAt = api.Time{Time: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)}
		f.events = storedAt()
		f.days = []api.DayCount{{Day: "2026-03-07", Prompts: 3}}
		site, _ := newSite(t, f)
		page := enter(t, site).get("/time").Body.String()
		growth := between(t, page, `aria-labelledby="growth"`, "</figure>")
		require.Contains(t, growth, "2026-03-05: 1 in sight", name)
		require.NotContains(t, growth, "2026-03-04", name)
		require.Contains(t, between(t, page, `aria-labelledby="prompts"`, "</figure>"), "2026-03-07: 3 prompts", name)
	}
}

// TestDaysAreThoseOfTheReader has a browser in another zone than the machine, and one that sends invalid zones.
func TestDaysAreThoseOfTheReader(t *testing.T) {
	f := someMemories()
	f.now, f.zone = time.Date(2026, 3, 10, 20, 0, 0, 0, time.UTC), zone(t, "Europe/Berlin")
	f.events = storedAt("2026-03-08T03:00:00Z")
	f.days = []api.DayCount{{Day: "2026-03-11", Prompts: 3}} // of the machine, which may be ahead
	site, _ := newSite(t, f)
	v := enter(t, site)
	get := func(said string) string {
		answer := v.ask(http.MethodGet, "/time", map[string]string{"Cookie": v.cookie.String() + said})
		require.Equal(t, http.StatusOK, answer.Code)
		return answer.Body.String()
	}
	day := func(page string) string {
		return between(t, between(t, page, `aria-labelledby="changes"`, "</figure>"), "<title>", ":")
	}
	elsewhere := get("; ltm_zone=America%2FLos_Angeles")
	require.Equal(t, "2026-03-07", day(elsewhere))
	require.Contains(t, elsewhere, "Days begin at midnight in America/Los_Angeles.")
	require.Contains(t, elsewhere, "counted by the days of the machine (UTC&#43;01:00).")
	require.Contains(t, between(t, elsewhere, `aria-labelledby="prompts"`, "</figure>"), "2026-03-11: 3 prompts")
	same := get("; ltm_zone=Europe%2FMadrid")
	require.Contains(t, same, "Days begin at midnight in Europe/Madrid.")
	require.NotContains(t, same, "days of the machine")
	for _, said := range []string{"", "; ltm_zone=", "; ltm_zone=..%2F..%2Fetc%2Fpasswd", "; ltm_zone=%2Fetc%2Fpasswd",
		"; ltm_zone=Mars%2FOlympus", "; ltm_zone=America", "; ltm_zone=zone.tab", "; ltm_zone=%zz", "; ltm_zone=Local",
		"; ltm_zone=" + strings.Repeat("A", 3000), "; ltm_zone=%3Cimg%3E", "; ltm_zone=America%00"} {
		page := get(said)
		require.Equal(t, "2026-03-08", day(page), said)
		require.Contains(t, page, "Days begin at midnight in Europe/Berlin.", said)
		require.NotContains(t, page, "<img", said)
	}
}

// TestAZoneWithoutAName is shown by its difference from UTC, as is one that is known by a path.
func TestAZoneWithoutAName(t *testing.T) {
	f := someMemories()
	f.now, f.events = time.Date(2026, 3, 10, 20, 0, 0, 0, time.UTC), storedAt("2026-03-08T20:00:00Z")
	for name, says := range map[string]string{"Local": "in UTC-03:30.", "/etc/zones/x": "in UTC-03:30.",
		"": "in UTC-03:30.", "America/St_Johns": "in America/St_Johns."} {
		f.zone = time.FixedZone(name, -3*3600-1800)
		site, _ := newSite(t, f)
		require.Contains(t, enter(t, site).get("/time").Body.String(), "Days begin at midnight "+says, name)
	}
}

// TestTimesWithoutAScript are in the zone in which days are counted, as in pages that are files.
func TestTimesWithoutAScript(t *testing.T) {
	f := someMemories()
	f.now, f.zone = time.Date(2026, 3, 10, 20, 0, 0, 0, time.UTC), zone(t, "Asia/Kolkata")
	f.events = storedAt("2026-03-08T20:00:00Z")
	f.memories[0].CreatedAt = api.Time{Time: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)}
	site, _ := newSite(t, f)
	files := map[string]string{}
	_, err := site.Export(t.Context(), func(name string, data []byte) error {
		files[name] = string(data)
		return nil
	})
	require.NoError(t, err)
	require.Contains(t, files["time.html"], "2026-03-09: 1 stored")
	require.Contains(t, files["time.html"], `<time datetime="2026-03-08T20:00:00Z">2026-03-09 01:30 UTC+05:30</time>`)
	require.Contains(t, files["memory-1.html"], `<time datetime="2026-03-05">2026-03-05</time>`)
}
