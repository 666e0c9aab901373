package secrets

import (
	"strings"
	"sync"
)

const (
	// maxArguments is how many arguments of a call are read.
	maxArguments = 4
	// maxArgument is the length of the longest one.
	maxArgument = 200
)

// call handles the arguments behind the '(' at i of something that takes a credential without naming it.
func (s *scanner) call(i int) {
	first, r := taken(s.text, i)
	if r == roleNone {
		return
	}
	for n, a := range s.arguments(i + 1) {
		v := s.text[a.start:a.end]
		if n < first || a.quote == 0 || strings.Contains(v, Mask) || strings.Contains(v, " ") || isAddress(v) ||
			hopeless(v) || reference(v, a.quote) {
			continue
		}
		if strong(r, v, true) {
			s.add(kindOf(r), weightValue, a.start, a.end)
			return
		}
	}
}

// taker describes a call that takes a credential.
type taker struct {
	ends   string // of the function's name, in any case; in the lists several, with spaces between
	exact  bool   // the name is ends, in this case
	before string // the end of what precedes the name; empty: anything
	first  int    // the first argument that may be the credential, counted from 0
	role   role
}

// takers lists the calls by the last byte of their names. If several match, the first counts.
var takers = sync.OnceValue(func() *[256][]taker {
	// Not the names in n and r: Password.validator( takes something else.
	const others = "a b c d e f g h i j k l m o p q s t u v w x y z 0 1 2 3 4 5 6 7 8 9 _"
	var all [256][]taker
	for _, family := range []taker{
		{ends: "pdo mysqli directoryentry connect getconnection ftp_login", first: 2, role: rolePassword},
		{ends: "basic pw_set create_user create_superuser authentication login", first: 1, role: rolePassword},
		{ends: "createhmac", first: 1, role: roleSecret},
		{ends: "fernet", role: roleSecret},
		{ends: "begin", exact: true, before: "WiFi.", first: 1, role: rolePassword},
		{ends: "sign verify", exact: true, before: "jwt.", first: 1, role: roleSecret},
		{ends: "new", exact: true, before: "hmac.", role: roleSecret},
		{ends: others, before: "assword.", role: rolePassword},
		{ends: others, before: "ssword::", role: rolePassword},
		{ends: "signWith", exact: true, first: 1, role: roleSecret},
		{ends: "sequelize", first: 2, role: rolePassword},
		{ends: "keycredential", role: roleSecret},
		{ends: "auth bind_s credentials networkcredential passwordcredential pscredential", first: 1,
			role: rolePassword},
		{ends: "create", exact: true, before: "entials.", first: 1, role: roleSecret},
		{ends: "create", exact: true, before: "rovider.", first: 1, role: roleSecret},
		{ends: "password", role: rolePassword}, // of SQL
	} {
		for end := range strings.FieldsSeq(family.ends) {
			k := family
			k.ends = end
			last := end[len(end)-1] | 0x20
			all[last] = append(all[last], k)
		}
	}
	return &all
})

// taken returns which argument of the call whose '(' is at i is the first that may be a credential, counted from 0, and
// its role.
func taken(t string, i int) (first int, r role) {
	start := i
	for start > 0 && i-start < 40 && isWord(t[start-1]) {
		start--
	}
	if start == i { // auth=("user", "password")
		if hasSuffix(strings.TrimRight(t[max(0, i-8):i], " "), "auth=", "auth =") {
			return 1, rolePassword
		}
		return 0, roleNone
	}
	name, before := t[start:i], t[max(0, start-8):start]
	for _, k := range takers()[name[len(name)-1]|0x20] {
		if !strings.HasSuffix(before, k.before) || name != k.ends && (k.exact || !endsFold(name, k.ends)) {
			continue
		}
		if k.ends == "connect" && mentions(t[i:min(len(t), i+maxName)], "t3://") { // of WebLogic
			return 1, rolePassword
		}
		return k.first, k.role
	}
	if oneOf(name, "type", "fill") || endsFold(name, "send_keys", "sendkeys") { // into a field
		if mentions(lineBefore(t, start), "assword") || strings.Contains(t[start:min(len(t), start+30)], "assword") {
			return 0, rolePassword
		}
	}
	return 0, roleNone
}

// argument is a literal or a name in a call; quote is that of a literal.
type argument struct {
	start, end int
	quote      byte
}

// arguments reads the arguments that begin at i, up to the first that is neither a literal nor a name.
func (s *scanner) arguments(i int) []argument {
	t := s.text
	var out []argument
	for len(out) < maxArguments {
		for isSpace(s.at(i)) || s.at(i) == '\n' || s.at(i) == '\r' {
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
		if end = s.skip(end, 0); s.at(end) != ',' {
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

// joint returns where the text of the next literal begins when the one that ends at i, a quote, is joined to it, as in
// "ab" + "cd", 'ab' . 'cd' or two literals side by side, or 0 when it is not.
func joint(t string, i int) int {
	const reach = 80
	if i >= len(t) || t[i] != '"' && t[i] != '\'' { // text in backquotes is code
		return 0
	}
	var sign byte
	breaks := 0
	for j := i + 1; j < len(t) && j < i+reach; j++ {
		switch c := t[j]; c {
		case ' ', '\t', '\r':
		case '\n':
			breaks++
		case '+', '.', '&', '\\':
			if sign != 0 && sign != '\\' && c != '\\' || c == '.' && isSpace(t[j-1]) != isSpace(t[min(j+1, len(t)-1)]) {
				return 0 // the dot ends a sentence
			}
			sign = c
		case t[i]:
			if breaks > 1 || j == i+1 || sign == 0 && isKey(t, j, c) {
				return 0
			}
			return j + 1
		default:
			return 0
		}
	}
	return 0
}

// isKey reports whether the literal at i is the key of what follows: "user": "x".
func isKey(t string, i int, quote byte) bool {
	rest := t[i+1 : min(len(t), i+1+maxName)]
	end := strings.IndexByte(rest, quote)
	return end >= 0 && end+1 < len(rest) && (rest[end+1] == ':' || rest[end+1] == '=')
}

// beside handles two literals of which the first is a name, set "Smtp:Password" "…"; the first ends at i.
func (s *scanner) beside(i int) {
	t := s.text
	if i+2 >= len(t) || t[i+1] != ' ' || t[i+2] != t[i] || i == 0 || !isAlpha(t[i-1]) {
		return
	}
	name, start := s.nameBefore(i)
	if start == 0 || t[start-1] != t[i] && t[start-1] != ':' {
		return
	}
	s.quoted(roleOf(name), i+1)
}

// literal returns the value from start to end and where it ends; that of a literal with all that is joined to it.
func (s *scanner) literal(start, end int, quote byte) (string, int) {
	t := s.text
	text := t[start:end]
	for quote != 0 && len(text) < lookAhead {
		next := joint(t, end)
		if next == 0 {
			break
		}
		stop := s.extent(next, t[end], false)
		if stop >= len(t) || t[stop] != t[end] {
			break
		}
		text += t[next:stop]
		end = stop
	}
	return text, end
}
