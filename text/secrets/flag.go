package secrets

import "strings"

// flag handles a flag with a value behind a space: the word w begins at start, after a dash.
func (s *scanner) flag(w string, start, end int) {
	t := s.text
	first := start
	for first > 0 && first > start-maxName && (isWord(t[first-1]) || t[first-1] == '-') {
		first--
	}
	switch {
	case strings.HasPrefix(t[first:], "--"):
		s.longFlag(t[first+2:end], first, end)
	case t[first] != '-': // a name with dashes inside
		if names(w) {
			s.spaced(start, end)
		}
	case first > 0 && !isSpace(t[first-1]) && t[first-1] != '\n', first+1 != start:
	case oneOf(w, "bc", "bB", "bcB", "cb"), w == "b" && mentions(lineBefore(t, start), "passwd"):
		if mentions(lineBefore(t, start), "htpasswd", "mosquitto_passwd") { // htpasswd -bc FILE USER PASSWORD
			s.passwordArgument(s.skip(end, 2))
		}
	case len(w) == 1:
		s.shortFlag(w[0], start, end)
	default:
		s.wordFlag(w, end)
	}
}

// longFlag handles a flag behind two dashes, which begin at start.
func (s *scanner) longFlag(name string, start, end int) {
	switch name {
	case "value", "body", "secret-string", "secret-value", "data": // of what the line names
		s.value(roleOfLine(lineBefore(s.text, start)), end)
	case "user", "proxy-user", "auth", "creds", "src-creds", "dest-creds":
		s.login(end, ':')
	default:
		s.value(sure(roleOf(name)), end)
	}
}

// wordFlag handles a flag of several letters behind one dash.
func (s *scanner) wordFlag(w string, end int) {
	switch {
	case oneOf(w, "auth", "creds"):
		s.login(end, ':')
	case oneOf(w, "passin", "passout", "pass"):
		s.openssl(end)
	case names(w): // -storepass of keytool, -Password of PowerShell
		s.value(sure(roleOf(w)), end)
	}
}

// sure returns the role of a value in a place where only a password can be.
func sure(r role) role {
	if r == rolePassword {
		return roleSure
	}
	return r
}

// roleOfLine returns the role of the last word of a line that tells one: put-parameter --name /shop/api_token.
func roleOfLine(line string) role {
	line = line[max(0, len(line)-160):]
	for line = strings.TrimRight(line, " \t"); line != ""; line = strings.TrimRight(line, " \t") {
		cut := strings.LastIndexAny(line, " \t")
		if word := line[cut+1:]; word[0] != '-' {
			if r := roleOf(strings.Trim(word, "\"'")); r != roleNone {
				return r
			}
		}
		line = line[:max(0, cut)]
	}
	return roleNone
}

// shortFlag handles flags of one letter, which are a password's for some commands and something else for most.
func (s *scanner) shortFlag(flag byte, at, i int) {
	line := lineBefore(s.text, at)
	switch {
	case flag == 'u' && mentions(line, "lftp "):
		s.login(i, ',')
	case flag == 'u', flag == 'a' && mentions(line, "http "):
		s.login(i, ':')
	case flag == 'U' && mentions(line, "smb", "rpcclient"):
		s.login(i, '%')
	case takesPassword(flag, line):
		s.passwordArgument(i)
	case flag == 'b' && mentions(line, "secret set "):
		s.value(roleOfLine(line[:len(line)-1]), i)
	case flag == 'b' && mentions(line, "curl "):
		s.cookies(i)
	}
}

// takesPassword reports whether a flag of the command in a line is a password's.
func takesPassword(flag byte, line string) bool {
	switch flag {
	case 'p':
		return mentions(line, "login", "sshpass", "mongo", "cqlsh", "rdesktop", "psexec", "kinit", "influx", "neo4j",
			"cypher", "altool", "notarytool", "rabbitmqadmin", "pihole", "keychain", "steghide", "dev-certs",
			"useradd") ||
			mentions(line, " -u ", " --user", " --admin") && !mentions(line, "compose ")
	case 'P':
		return mentions(line, "sqlcmd", "bcp ", "osql", "isql", "tsql", "zip ", "mosquitto", "ipmitool", "7z",
			"ssh-keygen", "security import")
	case 'A', 'X':
		return mentions(line, "snmp")
	case 'a':
		return mentions(line, "redis-cli")
	case 'k':
		return mentions(line, "openssl enc", "security ")
	case 'w':
		return mentions(line, "ldap", "dsconf", "-password ")
	case 'N':
		return mentions(line, "ssh-keygen")
	}
	return false
}

// login judges what follows i as a user and a password with a sign between.
func (s *scanner) login(i int, sign byte) {
	t := s.text
	i, end, _ := s.argument(i)
	if sign == ',' {
		end = i + len(nextWord(t[i:]))
	}
	user, password, ok := strings.Cut(t[i:end], string(sign))
	if ok && user != "" && urlPassword(user, password) && !strings.Contains(password, ":") {
		s.addPassword(end-len(password), end)
	}
}

// openssl handles -passin pass:…; the password may also be that of a variable or a file, which have other words before
// the colon.
func (s *scanner) openssl(i int) {
	t := s.text
	start, quote := s.opening(s.skip(i, 0))
	if !strings.HasPrefix(t[start:], "pass:") {
		if !strings.Contains(nextWord(t[start:]), ":") { // env:NAME
			s.passwordArgument(i)
		}
		return
	}
	start += len("pass:")
	end := s.extent(start, quote, false)
	if v := t[start:end]; v != "" && !reference(v, quote) && strongPassword(v) {
		s.addPassword(start, end)
	}
}

// gluedFlag handles mysql -pPASSWORD and rar -hpPASSWORD; the word begins at i.
func (s *scanner) gluedFlag(i int) {
	t := s.text
	if i < 2 || t[i-1] != '-' || !isSpace(t[i-2]) || !mentions(lineBefore(t, i), "mysql", "mariadb", "7z ", "rar ",
		"sshpass") {
		return
	}
	start := i + 1
	if t[i] == 'h' {
		start++
	}
	end := s.extent(start, 0, false)
	if start < end && strongPassword(t[start:end]) && !reference(t[start:end], 0) {
		s.addPassword(start, end)
	}
}
