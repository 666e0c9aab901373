package secrets

import "strings"

// command handles a word that is followed by space, for what is assigned without a sign: flags, settings, statements of
// SQL, and "the API key is …".
func (s *scanner) command(start, end int) {
	w := s.text[start:end]
	if len(w) > 40 {
		return
	}
	if s.at(start-1) == '-' {
		s.dashed(w, start, end)
		return
	}
	if s.keyword(w, start, end) || s.positional(w, start, end) {
		return
	}
	switch {
	case w == "_authToken" || w == "password" && inNetrc(lineBefore(s.text, start)):
		s.value(rolePassword, end)
	case names(w):
		s.spaced(start, end)
	case isUpper(w[0]) && allUpper(w):
		s.setting(start, end)
	}
}

// keyword handles the words of sentences and statements that a credential may follow, and reports whether w is one. A
// password may still be an argument.
func (s *scanner) keyword(w string, start, end int) bool {
	switch w {
	case "is", "was", "ist", "lautet", "holds", "equals", "es", "est":
		s.sentence(start, end)
	case "to":
		s.changed(start, end)
	case "psk":
		if s.at(start-1) == '.' { // nmcli connection modify … wifi-sec.psk
			s.passwordArgument(end)
		} else {
			s.secondWord(w, start, end)
		}
	case "password", "Password", "passphrase", "Passphrase", "passwort", "Passwort", "passcode", "pass", "pw", "pwd",
		"PW", "PSK", "token", "secret", "key":
		s.secondWord(w, start, end)
		return w != "password"
	case "Basic", "basic":
		s.basic(end)
	case "login", "Login", "creds", "credentials", "Credentials":
		s.accountAfter(end)
	case "as":
		s.asPassword(start, end)
	case "or":
		name, _ := s.nameBefore(start)
		s.quoted(roleOf(name), end)
	case "sqlplus", "expdp", "impdp", "rman":
		s.oracle(end)
	case "Bearer", "bearer", "GenieKey", "SSWS":
		s.value(roleToken, end)
	case "BY", "by", "PASSWORD":
		if w == "PASSWORD" || mentions(lineBefore(s.text, start), "identified ") {
			s.quoted(rolePassword, end)
		}
	case "with":
		s.lockedWith(start, end)
	default:
		return false
	}
	return true
}

// names reports whether a word ends like a name for a credential.
func names(w string) bool {
	return endsFold(w, "assword", "asswd", "pwd", "oken", "ecret", "pass", "pw", "psk", "key")
}

// spaced handles a name of several parts with a value behind a space, as in storePassword "…", requirepass … and
// spark.authToken ….
func (s *scanner) spaced(start, end int) {
	t := s.text
	last := start
	for start > 0 && end-start < maxName && dotted.has(t[start-1]) {
		start--
	}
	name := t[start:end]
	plain := start == last && !strings.Contains(name, "_")
	ordinary := plain && allLower(name) && !hasSuffix(name, "pass", "pw", "apikey", "accesskey", "secretkey", "authkey")
	if ordinary || len(name) <= len("Pass") { // a word of a sentence
		s.device(start, end)
		return
	}
	r, word := roleOf(name), nextWord(t[end:])
	if word == "" {
		return
	}
	random := len(word) >= minRandom && strongRandom(strings.TrimRight(word, ".,;:)"))
	switch {
	case isQuote(word[0]):
		if r != rolePassword || spoken(strings.TrimLeft(word, "\"'`"), true) {
			s.quoted(r, end)
		}
	case r == rolePassword && (!plain || allLower(name) || allUpper(name)):
		s.notDescribed(word, end)
	case random, r == rolePassword && (spoken(word, false) && !wordlike(word) || // and not the type of a field
		spoken(word, true) && twoDigits(word)):
		s.value(r, end)
	}
}

// notDescribed judges the word behind i as a password, if the next one does not say what was done to it.
func (s *scanner) notDescribed(word string, i int) {
	if generated(word) || spoken(word, true) && !participle(nextWord(s.text[i:], word)) {
		s.value(rolePassword, i)
	}
}

// twoDigits reports whether a word has two digits in a row, which names of types rarely have.
func twoDigits(word string) bool {
	for i := 1; i < len(word); i++ {
		if isDigit(word[i]) && isDigit(word[i-1]) {
			return true
		}
	}
	return false
}

// setting handles NAME value in a Dockerfile's ENV and fish's set.
func (s *scanner) setting(start, end int) {
	r := roleOf(s.text[start:end])
	if r == roleNone {
		return
	}
	line := lineBefore(s.text, start)
	if hasPrefix(line, "ENV ", "ARG ", "set -", "setenv ") || hasSuffix(line, "secrets set ", "setx ") {
		s.value(r, end)
	}
}

// inNetrc reports whether what precedes a password is of a .netrc: nothing, or the account.
func inNetrc(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || hasPrefix(line, "machine ", "login ", "default ")
}

// lineBefore returns the line that i is in, up to there; it may be cut off at its start.
func lineBefore(t string, i int) string { return afterLast(t[max(0, i-lookAhead):i], '\n') }

// dashed handles a word behind a dash: a flag, or the end of a command's name.
func (s *scanner) dashed(w string, start, end int) {
	t := s.text
	switch {
	case len(w) == len("SecureString") && strings.EqualFold(t[max(0, start-len("ConvertTo-")):end],
		"ConvertTo-SecureString"):
		s.piped(start-len("ConvertTo-"), handedPlain)
		s.secureString(end)
	case w == "authtoken" && strings.HasSuffix(t[:start], " add-"): // ngrok config add-authtoken
		s.value(roleWeak, end)
	default:
		s.flag(w, start, end)
	}
}

// secureString handles ConvertTo-SecureString of PowerShell: the plain text is the first argument that is not a flag.
func (s *scanner) secureString(i int) {
	for range maxArguments {
		if i = s.skip(i, 0); s.at(i) != '-' {
			break
		}
		i = s.run(i, urlSafe, maxName)
	}
	start, quote := s.opening(i)
	end := s.extent(start, quote, false)
	v := s.text[start:end]
	if v != "" && !reference(v, quote) && (strongPassword(v) || quote != 0 && urlPassword("", v)) {
		s.addPassword(start, end)
	}
}

// passwordArgument judges an argument in the place of a password.
func (s *scanner) passwordArgument(i int) {
	start, end, quote := s.argument(i)
	v := s.text[start:end]
	if len(v) > minPassword && strong(roleSure, v, quote != 0) && !strings.ContainsAny(v,
		"/\\") && !reference(v, quote) {
		s.addPassword(start, end)
	}
}

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

// ofAddress adds the credential that the word from i to end introduces in an address, and returns where it ends, or 0.
func (s *scanner) ofAddress(i, end int) int {
	rest := s.text[i:]
	switch rest[0] {
	case 'b':
		if strings.HasPrefix(rest, "bot") { // of Telegram: /bot123:AAA/getMe
			return s.compound(i+len("bot"), telegram())
		}
	case 'd':
		return max(s.webhook(i, "Discord webhook", "discord.com/", "api/webhooks/"),
			s.webhook(i, "Discord webhook", "discordapp.com/", "api/webhooks/"))
	case 'h':
		if !strings.HasPrefix(rest, "hooks") {
			return 0
		}
		if stop := s.webhook(i, "Slack webhook", "hooks.slack.com/", "services/", "workflows/", "triggers/"); stop > 0 {
			return stop
		}
		return s.hook(i)
	case 'I':
		return s.teamsWebhook(i)
	case 'i', 'k':
		if s.at(end) == '/' {
			return s.pathKey(i, end)
		}
	}
	return 0
}

// webhook finds the address of a webhook, host and one of the paths behind it: anyone who knows its last part may post.
func (s *scanner) webhook(i int, kind, host string, paths ...string) int {
	t := s.text
	if !strings.HasPrefix(t[i:], host) {
		return 0
	}
	start := i + len(host)
	end := s.path(start)
	for _, path := range paths {
		rest, ok := strings.CutPrefix(t[start:end], path)
		cut := strings.LastIndexByte(rest, '/')
		if ok && cut >= 0 && len(rest)-cut-1 >= 16 && random(rest[cut+1:]) {
			return s.addToken(kind, len(strings.TrimSuffix(t[:i], "https://")), end)
		}
	}
	return 0
}

func (s *scanner) path(i int) int {
	t := s.text
	end := i
	for end < len(t) && end-i < lookAhead && (urlSafe.has(t[end]) || t[end] == '/') {
		end++
	}
	return end
}

// teamsWebhook finds the address of a webhook of Microsoft Teams by the part of its path at i, which the key follows.
func (s *scanner) teamsWebhook(i int) int {
	const part = "IncomingWebhook/"
	if s.at(i-1) != '/' || !strings.HasPrefix(s.text[i:], part) {
		return 0
	}
	key := i + len(part)
	if s.run(key, alnum, 33) != key+32 || !random(s.text[key:key+32]) {
		return 0
	}
	return s.addToken("Teams webhook", s.addressStart(i), s.path(key))
}

// hook finds the address of a webhook of Mattermost, Rocket.Chat and the like, at the part "hooks/" of its path.
func (s *scanner) hook(i int) int {
	t := s.text
	key, ok := strings.CutPrefix(t[i:min(len(t), i+lookAhead)], "hooks/")
	if !ok || s.at(i-1) != '/' {
		return 0
	}
	start := s.addressStart(i)
	if strings.HasSuffix(t[:i], "hooks.zapier.com/") && strings.HasPrefix(key, "catch/") {
		end := s.path(i)
		if end-i < len("hooks/catch/1234567/abcdef") || fake(key) {
			return 0
		}
		return s.addToken("webhook", start, end)
	}
	end := s.path(i + len("hooks/"))
	key = t[i+len("hooks/") : end]
	if len(key) < 20 || isUUID(key) || !strings.HasPrefix(t[start:], "http") || !strongRandom(afterLast(key, '/')) {
		return 0
	}
	return s.addToken("webhook", start, end)
}

// pathKey finds a key in an address, behind the part from i to end: of IFTTT and of PagerDuty.
func (s *scanner) pathKey(i, end int) int {
	t := s.text
	stop := s.run(end+1, urlSafe, maxName)
	ifttt := t[i:end] == "key" && strings.HasSuffix(t[:i], "/with/")
	pager := t[i:end] == "integration" && strings.HasPrefix(t[stop:], "/enqueue")
	if (ifttt || pager) && strongRandom(t[end+1:stop]) {
		return s.addToken("secret value", end+1, stop)
	}
	return 0
}

// addressStart returns where the address around i begins; it may be cut off.
func (s *scanner) addressStart(i int) int {
	t := s.text
	start := i
	for start > 0 && i-start < 200 && visible(t[start-1]) && strings.IndexByte("\"'`<>()[]=", t[start-1]) < 0 {
		start--
	}
	return start
}
