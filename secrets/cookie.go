package secrets

import "strings"

// cookies judges those that begin at i, name=value and a semicolon between: one
// that stands for a login is a credential.
func (s *scanner) cookies(i int) {
	t := s.text
	at, _ := s.opening(s.skip(i, 0))
	stop := at
	for stop < len(t) && stop-at < lookAhead && t[stop] >= ' ' && t[stop] < 0x7f && !isQuote(t[stop]) && t[stop] != '[' {
		stop++
	}
	for n := 0; n < maxCookies && at < stop; n++ {
		end := stop
		if length := strings.IndexByte(t[at:stop], ';'); length >= 0 {
			end = at + length
		}
		name, v, ok := strings.Cut(t[at:end], "=")
		if ok && sessionCookie(strings.TrimSpace(name)) && strongRandom(v) && !strings.Contains(v, " ") {
			s.add("session cookie", weightValue, end-len(v), end)
		}
		at = end + 1
	}
}

// maxCookies is how many cookies of a line are looked at.
const maxCookies = 16

// sessionCookie reports whether a cookie of that name stands for a login.
func sessionCookie(name string) bool {
	for _, known := range []string{"session", "sessionid", "session_id", "_session_id", "user_session", "laravel_session", "sid", "connect.sid",
		"phpsessid", "jsessionid", "asp.net_sessionid", "remember_token", "auth", "auth_token"} {
		if strings.EqualFold(name, known) {
			return true
		}
	}
	return false
}
