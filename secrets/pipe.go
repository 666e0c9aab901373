package secrets

import "strings"

// handed is how a password is handed to a command.
type handed int

const (
	handedEcho    handed = iota // by echo or printf
	handedAccount               // by them, behind a user and a colon
	handedPlain                 // as a literal
)

// piped handles what is handed to a command that reads a password: the word at i,
// in the command, tells that it does.
func (s *scanner) piped(i int, how handed) {
	t := s.text
	line := lineBefore(t, i)
	begin := i - len(line)
	bar := strings.LastIndexByte(line, '|')
	if bar < 0 || how != handedPlain && !mentions(line[:bar], "echo ", "printf ") {
		return
	}
	end := len(strings.TrimRight(line[:bar], " "))
	if end == 0 {
		return
	}
	start := strings.LastIndexByte(line[:end], ' ') + 1
	var quote byte
	if c := line[end-1]; isQuote(c) {
		end, quote = end-1, c
		start = strings.LastIndexByte(line[:end], c) + 1
	}
	user, password := "", line[start:end]
	if how == handedAccount {
		ok := false
		if user, password, ok = strings.Cut(password, ":"); !ok {
			return
		}
		start += len(user) + 1
	}
	whole := start < end && s.extent(begin+start, quote, false) == begin+end && (quote != 0 || how != handedPlain)
	if whole && !reference(password, quote) && (strongPassword(password) || how == handedAccount && urlPassword(user, password)) {
		s.add("password", weightValue, begin+start, begin+end)
	}
}

// fed handles what is echoed to a command that reads a password from its input; the
// bar before that is at i.
func (s *scanner) fed(i int) {
	if i == 0 || !mentions(lineBefore(s.text, i), "echo ", "printf ") {
		return
	}
	command := lineAt(s.text, i+1)
	if next := strings.IndexByte(command, '|'); next >= 0 {
		command = command[:next]
	}
	if hasPrefix(strings.TrimLeft(command, " "), "grep", "tee", "sed", "awk", "cat", "jq", "wc", "cut", "tr ") {
		return
	}
	if mentions(command, "passwd", "password", "passphrase", "login", "kinit", "sudo -s", "cryptsetup", "secret create", "stdin") && !mentions(command, "chpasswd") {
		s.piped(i+1, handedEcho)
	}
}

// hereString handles kinit ann <<< "…", whose signs are at i.
func (s *scanner) hereString(i int) {
	t := s.text
	if !strings.HasPrefix(t[i:], "<<<") {
		return
	}
	line := lineBefore(t, i)
	if mentions(line, "chpasswd") {
		s.login(i+3, ':')
	} else if mentions(line, "kinit", "passwd", "login", "sudo -s") {
		s.passwordArgument(s.skip(i+3, 0))
	} else if mentions(line, "secret") {
		s.value(max(roleWeak, roleOfLine(line)), i+3, false, false)
	}
}
