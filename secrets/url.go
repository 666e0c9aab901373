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
	if urlPassword(t[start:colon], t[colon+1:at]) {
		s.add("password in a URL", weightURL, colon+1, at)
	}
}

// urlPassword judges the password of a user: in its place there is nothing else
// than a password, so that any word counts but the usual examples.
func urlPassword(user, password string) bool {
	if len(password) < 4 || strings.EqualFold(user, password) || strings.ContainsAny(password, "${}<>()[]\\") || fake(password) {
		return false
	}
	if password[0] == '%' && !(len(password) > 2 && isHex(password[1]) && isHex(password[2])) {
		return false
	}
	if strings.Trim(password, "*.x") == "" || strings.ToUpper(password) == password && !strings.ContainsAny(password, "0123456789") {
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
