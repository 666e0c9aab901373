package secrets

import "strings"

// command handles a word that is followed by space, for what is assigned without
// a sign: flags, settings, statements of SQL, and "the API key is …".
func (s *scanner) command(start, end int) {
	t := s.text
	w := t[start:end]
	if len(w) > 40 {
		return
	}
	switch w {
	case "is", "was":
		s.sentence(start, end)
		return
	case "Bearer", "bearer":
		s.value(roleWeak, end, false, false)
		return
	case "BY", "by", "PASSWORD":
		if w == "PASSWORD" || strings.HasSuffix(strings.ToUpper(t[max(0, start-11):start]), "IDENTIFIED ") {
			s.value(rolePassword, end, false, true)
		}
		return
	}
	dash := start
	for dash > 0 && dash > start-maxName && (isWord(t[dash-1]) || t[dash-1] == '-') {
		dash--
	}
	switch {
	case strings.HasPrefix(t[dash:], "--"):
		s.value(roleOfFlag(t[dash:end]), end, false, false)
	case start > 1 && t[start-1] == '-' && isSpace(t[start-2]) && (w == "u" || w == "p"):
		s.shortFlag(w, start, end)
	case w == "_authToken" || w == "password" && inNetrc(lineBefore(t, start)):
		s.value(rolePassword, end, false, false)
	case strings.ToUpper(w) == w:
		s.setting(start, end)
	}
}

// sentence handles "the password of the demo is …": the word that tells may stand
// further ahead, and a password has to be quoted.
func (s *scanner) sentence(i, after int) {
	name, _ := s.nameBefore(i)
	for name != "" {
		if r := roleOf(name); r != roleNone {
			quotedOnly := r == rolePassword && !strongRandom(nextWord(s.text[after:]))
			s.value(r, after, false, quotedOnly)
			return
		}
		name = name[:max(0, strings.LastIndexByte(name, ' '))]
	}
}

// nextWord returns the first word of a text, as far as a value may reach.
func nextWord(t string) string {
	t = strings.TrimLeft(t[:min(len(t), lookAhead)], " \t")
	if end := strings.IndexAny(t, " \t\n"); end >= 0 {
		t = t[:end]
	}
	return t
}

func roleOfFlag(name string) role { return roleOf(strings.TrimLeft(name, "-")) }

// setting handles NAME value in a Dockerfile's ENV and fish's set.
func (s *scanner) setting(start, end int) {
	r := roleOf(s.text[start:end])
	if r == roleNone {
		return
	}
	line := lineBefore(s.text, start)
	if strings.HasPrefix(line, "ENV ") || strings.HasPrefix(line, "ARG ") || strings.HasPrefix(line, "set -") || strings.HasPrefix(line, "setenv ") {
		s.value(r, end, false, false)
	}
}

// shortFlag handles curl -u user:password, and -p password of the commands that
// take it so; for others it is a port or a path.
func (s *scanner) shortFlag(w string, at, i int) {
	t := s.text
	line := lineBefore(t, at)
	if w == "p" && !strings.Contains(line, "login") && !strings.Contains(line, "sshpass") {
		return
	}
	for i < len(t) && isSpace(t[i]) {
		i++
	}
	i, quote := s.opening(i)
	end := s.extent(i, quote, false)
	if w == "p" {
		if end-i >= 8 && strongPassword(t[i:end]) && !strings.ContainsAny(t[i:end], ":/\\") && !reference(t[i:end], quote) {
			s.add("password", weightValue, i, end)
		}
		return
	}
	user, password, ok := strings.Cut(t[i:end], ":")
	if ok && user != "" && urlPassword(user, password) && !strings.Contains(password, ":") {
		s.add("password", weightValue, i+len(user)+1, end)
	}
}

// inNetrc reports whether what stands before a password is of a .netrc: nothing,
// or the account.
func inNetrc(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "machine ") || strings.HasPrefix(line, "login ") || strings.HasPrefix(line, "default ")
}

// gluedFlag handles mysql -pPASSWORD; the word begins with the p, at i.
func (s *scanner) gluedFlag(i int) {
	t := s.text
	if i < 2 || t[i-1] != '-' || !isSpace(t[i-2]) || !strings.Contains(lineBefore(t, i), "mysql") {
		return
	}
	end := s.extent(i+1, 0, false)
	if v := t[i+1 : end]; strongPassword(v) && !reference(v, 0) {
		s.add("password", weightValue, i+1, end)
	}
}

// lineBefore returns the line that i is in, up to there, as far as is worth a look.
func lineBefore(t string, i int) string {
	line := t[max(0, i-lookAhead):i]
	return line[strings.LastIndexByte(line, '\n')+1:]
}

// element handles <password>…</password>, whose '>' is at i.
func (s *scanner) element(i int) {
	t := s.text
	open := i
	for open > 0 && i-open < maxName && (isWord(t[open-1]) || t[open-1] == '-' || t[open-1] == '.') {
		open--
	}
	if open == 0 || t[open-1] != '<' || open == i {
		return
	}
	if r := roleOf(t[open:i]); r != roleNone {
		s.value(r, i+1, false, false)
	}
}
