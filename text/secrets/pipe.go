package secrets

import "strings"

// handed is how a password is handed to a command.
type handed int

const (
	handedEcho    handed = iota // by echo or printf
	handedAccount               // by them, behind a user and a colon
	handedPlain                 // as a literal
)

// piped handles what is handed to a command that reads a password; i is in the command, behind the bar.
func (s *scanner) piped(i int, how handed) {
	line := lineBefore(s.text, i)
	bar := strings.LastIndexByte(line, '|')
	if bar < 0 || how != handedPlain && !mentions(line[:bar], "echo ", "printf ") {
		return
	}
	given := strings.TrimRight(line[:bar], " ")
	if given == "" {
		return
	}
	var quote byte
	if c := given[len(given)-1]; isQuote(c) {
		given, quote = given[:len(given)-1], c
	}
	password, user := afterLast(given, max(quote, ' ')), ""
	if how == handedAccount {
		ok := false
		if user, password, ok = strings.Cut(password, ":"); !ok {
			return
		}
	}
	end := i - len(line) + len(given)
	start := end - len(password)
	if password == "" || s.extent(start, quote, false) != end || reference(password, quote) {
		return
	}
	if quote == 0 && how == handedPlain {
		return
	}
	if strongPassword(password) || how == handedAccount && urlPassword(user, password) {
		s.addPassword(start, end)
	}
}

// fed handles what is echoed to a command that reads a password from its input; the bar before that is at i.
func (s *scanner) fed(i int) {
	if i == 0 || !mentions(lineBefore(s.text, i), "echo ", "printf ") {
		return
	}
	command, _, _ := strings.Cut(lineAt(s.text, i+1), "|")
	if hasPrefix(strings.TrimLeft(command, " "), "grep", "tee", "sed", "awk", "cat", "jq", "wc", "cut", "tr ") {
		return
	}
	if !mentions(command, "chpasswd") && mentions(command, "passwd", "password", "passphrase", "login", "kinit",
		"sudo -s", "cryptsetup", "secret create", "stdin") {
		s.piped(i+1, handedEcho)
	}
}

// hereString handles kinit ann <<< "…", whose signs are at i.
func (s *scanner) hereString(i int) {
	if !strings.HasPrefix(s.text[i:], "<<<") {
		return
	}
	switch line := lineBefore(s.text, i); {
	case mentions(line, "chpasswd"):
		s.login(i+3, ':')
	case mentions(line, "kinit", "passwd", "login", "sudo -s"):
		s.passwordArgument(i + 3)
	case mentions(line, "secret"):
		s.value(max(roleWeak, roleOfLine(line)), i+3)
	}
}
