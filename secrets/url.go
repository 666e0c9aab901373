package secrets

import "strings"

// url looks for a password in the address whose "://" is at i.
func (s *scanner) url(i int) {
	t := s.text
	if i == 0 || !isAlnum(t[i-1]) {
		return
	}
	start := i + len("://")
	at, colon := -1, -1
	for end := start; end < len(t) && end-start < lookAhead; end++ {
		c := t[end]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("/'\"<>`", c) >= 0 || strings.HasPrefix(t[end:], Mask) ||
			c == ':' && strings.HasPrefix(t[end:], "://") {
			break
		}
		if c == ':' && colon < 0 {
			colon = end
		}
		if c == '@' {
			at = end
		}
	}
	if at < 0 || colon < 0 || colon > at {
		return
	}
	if password := t[colon+1 : at]; urlPassword(t[start:colon], password) && !strings.HasSuffix(t[:i], password) {
		s.add("password in a URL", weightURL, colon+1, at)
	}
}

// urlPassword judges the password of a user: in its place there is nothing else
// than a password, so that any word counts but the usual examples.
func urlPassword(user, password string) bool {
	if len(password) < 4 || strings.EqualFold(user, password) || strings.ContainsAny(password, "{}<>()[]\\") || password[0] == '$' || fake(password) {
		return false
	}
	if password[0] == '%' && !(len(password) > 2 && isHex(password[1]) && isHex(password[2])) {
		return false
	}
	if strings.Trim(password, "*.x") == "" || allUpper(password) && !strings.ContainsAny(password, "0123456789") {
		return false
	}
	return strongRandom(password) || !commonWord(password)
}

// driverDSN looks for user:password@tcp(host) of Go's MySQL driver, whose '@' is
// at i.
func (s *scanner) driverDSN(i int) {
	t := s.text
	if !strings.HasPrefix(t[i:], "@tcp(") && !strings.HasPrefix(t[i:], "@unix(") {
		return
	}
	start := i
	for start > 0 && i-start < 64 && t[start-1] > ' ' && t[start-1] < 0x7f && strings.IndexByte(":@'\"`]", t[start-1]) < 0 {
		start--
	}
	if start > 1 && t[start-1] == ':' && isWord(t[start-2]) && urlPassword("", t[start:i]) {
		s.add("password in a URL", weightURL, start, i)
	}
}

// pgpass looks for the password in a line of PostgreSQL's file of passwords,
// host:port:database:user:password, of which the port follows the ':' at i.
func (s *scanner) pgpass(i int) {
	t := s.text
	at := s.run(i+1, digits, 6)
	if at-i-1 < 4 {
		return
	}
	for range 2 {
		if at >= len(t) || t[at] != ':' {
			return
		}
		start := at + 1
		for at = start; at < len(t) && at-start < 64 && (isWord(t[at]) || strings.IndexByte("-.*", t[at]) >= 0); {
			at++
		}
		if at == start {
			return
		}
	}
	if at >= len(t) || t[at] != ':' {
		return
	}
	end := s.extent(at+1, 0, false)
	v := t[at+1 : end]
	if (end == len(t) || t[end] == '\n') && strongPassword(v) && !reference(v, 0) && !strings.Contains(v, ":") {
		s.add("password", weightValue, at+1, end)
	}
}

// oracle looks for the password in the address of an Oracle database,
// user/password@host, at i.
func (s *scanner) oracle(i int) {
	t := s.text
	start, _ := s.opening(s.skip(i, 0))
	user := s.run(start, wordy, 64)
	if user == start || user >= len(t) || t[user] != '/' {
		return
	}
	end := user + 1
	for end < len(t) && end-user < maxName && t[end] > ' ' && t[end] < 0x7f && t[end] != '@' && t[end] != '[' && !isQuote(t[end]) {
		end++
	}
	if end < len(t) && t[end] == '@' && urlPassword(t[start:user], t[user+1:end]) {
		s.add("password in a URL", weightURL, user+1, end)
	}
}
