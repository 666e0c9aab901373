package secrets

import "strings"

const (
	// maxArguments is how many arguments of a call are read.
	maxArguments = 4
	// maxArgument is the length of the longest one.
	maxArgument = 200
)

// call looks at the arguments behind the '(' at i when the name before it is that
// of something that takes a credential without naming it.
func (s *scanner) call(i int) {
	first, r := taken(s.text, i)
	if r == roleNone {
		return
	}
	for n, a := range s.arguments(i + 1) {
		v := s.text[a.start:a.end]
		if n < first || a.quote == 0 || strings.Contains(v, Mask) || strings.Contains(v, " ") || isAddress(v) || hopeless(v) || reference(v, a.quote) {
			continue
		}
		if strong(r, v, true) {
			s.add(kindOf(r), weightValue, a.start, a.end)
			return
		}
	}
}

// taken returns which argument of the call whose '(' is at i is the first that may
// be a credential, counted from 0, and its role.
func taken(t string, i int) (first int, r role) {
	start := i
	for start > 0 && i-start < 40 && isWord(t[start-1]) {
		start--
	}
	if start == i { // auth=("user", "password")
		if before := strings.TrimRight(t[max(0, i-8):i], " "); hasSuffix(before, "auth=", "auth =") {
			return 1, rolePassword
		}
		return 0, roleNone
	}
	name, before := t[start:i], t[max(0, start-8):start]
	switch name[len(name)-1] | 0x20 {
	case 'o', 'i', 'y':
		if endsFold(name, "pdo", "mysqli", "directoryentry") {
			return 2, rolePassword
		}
		if name == "verify" && strings.HasSuffix(before, "jwt.") {
			return 1, roleSecret
		}
	case 'w':
		if name == "new" && strings.HasSuffix(before, "hmac.") {
			return 0, roleSecret
		}
	case 'c':
		if endsFold(name, "basic") {
			return 1, rolePassword
		}
		if endsFold(name, "createhmac") {
			return 1, roleSecret
		}
	case 't':
		if endsFold(name, "connect") {
			if mentions(t[i:min(len(t), i+maxName)], "t3://") { // of WebLogic
				return 1, rolePassword
			}
			return 2, rolePassword
		}
		if endsFold(name, "pw_set") {
			return 1, rolePassword
		}
		if endsFold(name, "fernet") {
			return 0, roleSecret
		}
	case 'n', 'r':
		return takenByN(name, before)
	case 'e', 's', 'l', 'h', 'd', 'm':
		return takenByOthers(t, name, before, start)
	}
	if endsFold(name, "secretstr") || hasSuffix(before, "assword.", "ssword::") {
		return 0, rolePassword
	}
	return 0, roleNone
}

func takenByN(name, before string) (int, role) {
	switch {
	case endsFold(name, "create_user", "create_superuser"): // of Django
		return 1, rolePassword
	case endsFold(name, "getconnection", "ftp_login"):
		return 2, rolePassword
	case endsFold(name, "authentication", "login"), name == "begin" && strings.HasSuffix(before, "WiFi."):
		return 1, rolePassword
	case name == "sign" && strings.HasSuffix(before, "jwt."):
		return 1, roleSecret
	}
	return 0, roleNone
}

func takenByOthers(t, name, before string, start int) (int, role) {
	switch {
	case hasSuffix(before, "assword.", "ssword::"):
		return 0, rolePassword
	case name == "signWith":
		return 1, roleSecret
	case endsFold(name, "sequelize"):
		return 2, rolePassword
	case endsFold(name, "keycredential"):
		return 0, roleSecret
	case endsFold(name, "auth", "networkcredential", "pscredential", "credentials", "passwordcredential", "set_credentials", "bind_s"):
		return 1, rolePassword
	case endsFold(name, "awscredentials", "staticcredentials"), name == "create" && hasSuffix(before, "entials.", "rovider."):
		return 1, roleSecret
	case endsFold(name, "password"): // of SQL
		return 0, rolePassword
	case name == "type", name == "fill", endsFold(name, "send_keys", "sendkeys"): // into a field
		if mentions(lineBefore(t, start), "assword") || strings.Contains(t[start:min(len(t), start+30)], "assword") {
			return 0, rolePassword
		}
	}
	return 0, roleNone
}

// endsFold reports whether a name ends in one of some words, in whatever case.
func endsFold(name string, suffixes ...string) bool {
	for _, s := range suffixes {
		if len(name) >= len(s) && strings.EqualFold(name[len(name)-len(s):], s) {
			return true
		}
	}
	return false
}

// argument is a literal or a name in a call; quote is that of a literal.
type argument struct {
	start, end int
	quote      byte
}

// arguments reads the arguments that begin at i, up to the first that is neither
// a literal nor a name.
func (s *scanner) arguments(i int) []argument {
	t := s.text
	var out []argument
	for len(out) < maxArguments {
		for i < len(t) && (isSpace(t[i]) || t[i] == '\n' || t[i] == '\r') {
			i++
		}
		if i+1 < len(t) && strings.IndexByte("bfruB@N", t[i]) >= 0 && isQuote(t[i+1]) { // b"…"
			i++
		}
		start, quote := s.opening(i)
		end := start
		for end < len(t) && end-start < maxArgument && inArgument(t[end], quote) {
			end++
		}
		if end >= len(t) || quote != 0 && t[end] != quote || quote == 0 && end == start {
			break
		}
		out = append(out, argument{start, end, quote})
		if quote != 0 {
			end++
		}
		for end < len(t) && isSpace(t[end]) {
			end++
		}
		if end >= len(t) || t[end] != ',' {
			break
		}
		i = end + 1
	}
	return out
}

func inArgument(c, quote byte) bool {
	if quote != 0 {
		return c != quote && c >= ' ' && c < 0x7f
	}
	return isWord(c) || c == '.' || c == '$'
}

// isAddress reports whether a value is one of mail.
func isAddress(v string) bool {
	_, host, ok := strings.Cut(v, "@")
	return ok && strings.Contains(host, ".")
}
