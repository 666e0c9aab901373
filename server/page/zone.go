package page

import (
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// local is what Go calls the zone of the machine when it does not know the name.
const local = "Local"

// zoneCookie is where the script says in which zone the reader is: not always that of the machine, as over SSH.
const zoneCookie = "ltm_zone"

// mostZones is how many such cookies are looked at: another program on this host may have set one, too.
const mostZones = 4

// zoneName is what may be the name of a zone. A name is looked up among files, so that it must be no other path.
var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}$`)

// zone returns the zone of the machine.
func (s *Site) zone() *time.Location {
	if s.options.Zone == nil {
		return time.UTC
	}
	return s.options.Zone
}

// zoneOf returns the zone of a reader: the machine's, unless the browser names one that the machine knows.
func (s *Site) zoneOf(r *http.Request) *time.Location {
	said := r.CookiesNamed(zoneCookie)
	for _, c := range said[:min(len(said), mostZones)] {
		name, err := url.PathUnescape(c.Value)
		if err != nil || name == local || !zoneName.MatchString(name) {
			continue
		}
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return s.zone()
}

// nameOf names a zone to a reader: as the system does, or by what it differs from UTC at a time.
func nameOf(zone *time.Location, now time.Time) string {
	if name := zone.String(); name != local && zoneName.MatchString(name) { // it may be a path
		return name
	}
	return offsetOf(now.In(zone))
}

// offsetOf says how a time is written in its zone, such as UTC+01:00. Short names such as CST are those of several.
func offsetOf(at time.Time) string {
	if _, seconds := at.Zone(); seconds == 0 {
		return "UTC"
	}
	return "UTC" + at.Format("-07:00")
}

// A day is the midnight in UTC of its date, so that all days are equally long. Those of zones are not.
const dayLength = 24 * time.Hour

// dayIn returns the day of a time in a zone.
func dayIn(zone *time.Location, at time.Time) time.Time {
	year, month, day := at.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// isDay reports whether a time is a date without a time of day. It is the same day everywhere.
func isDay(at time.Time) bool { return at.Equal(at.UTC().Truncate(dayLength)) }

// shownIn returns a time as readers whose browser runs no script see it.
func shownIn(zone *time.Location, at time.Time) shownTime {
	if isDay(at) {
		text := at.UTC().Format(time.DateOnly)
		return shownTime{Machine: text, Text: text}
	}
	here := at.In(zone)
	return shownTime{Machine: at.UTC().Format(time.RFC3339),
		Text: here.Format("2006-01-02 15:04 ") + offsetOf(here)}
}
