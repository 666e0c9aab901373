package secrets

import "strings"

func (s *scanner) addURL(start, end int) { s.add("password in a URL", weightURL, start, end) }

// url searches the address whose "://" is at i for a password.
func (s *scanner) url(i int) {
	t := s.text
	if !isAlnum(s.at(i - 1)) {
		return
	}
	start := i + len("://")
	at, colon := -1, -1
	for end := start; end < len(t) && end-start < lookAhead && visible(t[end]) &&
		strings.IndexByte("/'\"<>`", t[end]) < 0 && !hasPrefix(t[end:], Mask, "://"); end++ {
		if t[end] == ':' && colon < 0 {
			colon = end
		}
		if t[end] == '@' {
			at = end
		}
	}
	if at < 0 || colon < 0 || colon > at {
		return
	}
	if password := t[colon+1 : at]; urlPassword(t[start:colon], password) && !strings.HasSuffix(t[:i], password) {
		s.addURL(colon+1, at)
	}
}

// urlPassword judges the password of a user: nothing else can be in its place, so that any word counts except the usual
// examples.
func urlPassword(user, password string) bool {
	switch {
	case len(password) < 4, strings.EqualFold(user, password), strings.ContainsAny(password,
		"{}<>()[]\\"), fake(password):
		return false
	case password[0] == '$', password[0] == '%' && !(isHex(password[1]) && isHex(password[2])):
		return false
	case strings.Trim(password, "*.x") == "", allUpper(password) && !digits.in(password):
		return false
	}
	return strongRandom(password) || !commonWord(password)
}

// driverDSN searches user:password@tcp(host) of Go's MySQL driver, whose '@' is at i.
func (s *scanner) driverDSN(i int) {
	t := s.text
	if !hasPrefix(t[i:], "@tcp(", "@unix(") {
		return
	}
	start := i
	for start > 0 && i-start < 64 && visible(t[start-1]) && strings.IndexByte(":@'\"`]", t[start-1]) < 0 {
		start--
	}
	if s.at(start-1) == ':' && isWord(s.at(start-2)) && urlPassword("", t[start:i]) {
		s.addURL(start, i)
	}
}

// pgpass searches a line of PostgreSQL's file of passwords, host:port:database:user:password, of which the port follows
// the ':' at i.
func (s *scanner) pgpass(i int) {
	at := s.run(i+1, digits, 6)
	if at-i-1 < 4 {
		return
	}
	for range 2 {
		if s.at(at) != ':' {
			return
		}
		start := at + 1
		for at = start; at-start < 64 && (dotted.has(s.at(at)) || s.at(at) == '*'); {
			at++
		}
		if at == start {
			return
		}
	}
	if s.at(at) != ':' {
		return
	}
	end := s.extent(at+1, 0, false)
	v := s.text[at+1 : end]
	if (end == len(s.text) || s.text[end] == '\n') && strongPassword(v) && !reference(v, 0) && !strings.Contains(v,
		":") {
		s.addPassword(at+1, end)
	}
}

// oracle searches the address of an Oracle database, user/password@host, at i.
func (s *scanner) oracle(i int) {
	t := s.text
	start, _ := s.opening(s.skip(i, 0))
	user := s.run(start, wordy, 64)
	if user == start || s.at(user) != '/' {
		return
	}
	end := user + 1
	for c := s.at(end); end-user < maxName && visible(c) && c != '@' && c != '[' && !isQuote(c); c = s.at(end) {
		end++
	}
	if s.at(end) == '@' && urlPassword(t[start:user], t[user+1:end]) {
		s.addURL(user+1, end)
	}
}
