package secrets

import "strings"

// flag handles a flag with a value behind a space: the word w begins at start,
// after a dash.
func (s *scanner) flag(w string, start, end int) {
	t := s.text
	dash := start
	for dash > 0 && dash > start-maxName && (isWord(t[dash-1]) || t[dash-1] == '-') {
		dash--
	}
	switch {
	case strings.HasPrefix(t[dash:], "--"):
		switch name := t[dash+2 : end]; name {
		case "value", "body", "secret-string", "secret-value", "data": // of what the line names
			s.value(roleOfLine(lineBefore(t, dash)), end, false, false)
		case "user", "proxy-user", "auth", "creds", "src-creds", "dest-creds":
			s.login(end, ':')
		default:
			s.value(sure(roleOf(name)), end, false, false)
		}
	case t[dash] != '-': // a name with dashes inside
		if names(w) {
			s.named(start, end)
		}
	case dash > 0 && !isSpace(t[dash-1]) && t[dash-1] != '\n', dash+1 != start:
	case w == "b" && mentions(lineBefore(t, start), "passwd"), w == "bc", w == "bB", w == "bcB", w == "cb": // htpasswd -bc FILE USER PASSWORD
		if mentions(lineBefore(t, start), "htpasswd", "mosquitto_passwd") {
			s.passwordArgument(s.skip(end, 2))
		}
	case w == "auth" || w == "creds":
		s.login(end, ':')
	case len(w) == 1:
		s.shortFlag(w[0], start, end)
	case w == "passin" || w == "passout" || w == "pass":
		s.openssl(end)
	case names(w): // -storepass of keytool, -Password of PowerShell
		s.value(sure(roleOf(w)), end, false, false)
	}
}

// sure returns the role of a value that stands where nothing but a password can.
func sure(r role) role {
	if r == rolePassword {
		return roleSure
	}
	return r
}

// roleOfLine returns the role of the last word of a line that tells one:
// put-parameter --name /shop/api_token.
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

// shortFlag handles flags of one letter, which are a password's for some commands
// and something else for most.
func (s *scanner) shortFlag(flag byte, at, i int) {
	t := s.text
	line := lineBefore(t, at)
	switch {
	case flag == 'u' && mentions(line, "lftp "):
		s.login(i, ',')
	case flag == 'u', flag == 'a' && mentions(line, "http "):
		s.login(i, ':')
	case flag == 'U' && mentions(line, "smb", "rpcclient"):
		s.login(i, '%')
	case takesPassword(flag, line):
		s.passwordArgument(s.skip(i, 0))
	case flag == 'b' && mentions(line, "secret set "):
		s.value(roleOfLine(line[:len(line)-1]), i, false, false)
	case flag == 'b' && mentions(line, "curl "):
		s.cookies(i)
	}
}

// takesPassword reports whether a flag of the command in a line is a password's.
func takesPassword(flag byte, line string) bool {
	switch flag {
	case 'p':
		return mentions(line, "login", "sshpass", "mongo", "cqlsh", "rdesktop", "psexec", "kinit", "influx", "neo4j", "cypher", "altool", "notarytool",
			"rabbitmqadmin", "pihole", "keychain", "steghide", "dev-certs", "useradd") || mentions(line, " -u ", " --user", " --admin") && !mentions(line, "compose ")
	case 'P':
		return mentions(line, "sqlcmd", "bcp ", "osql", "isql", "tsql", "zip ", "mosquitto", "ipmitool", "7z", "ssh-keygen", "security import")
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
	i, quote := s.opening(s.skip(i, 0))
	end := s.extent(i, quote, false)
	if sign == ',' {
		end = i + len(nextWord(t[i:]))
	}
	at := strings.IndexByte(t[i:end], sign)
	if at <= 0 {
		return
	}
	user, password := t[i:i+at], t[i+at+1:end]
	if urlPassword(user, password) && !strings.Contains(password, ":") {
		s.add("password", weightValue, i+at+1, end)
	}
}

// openssl handles -passin pass:…; the password may also be that of a variable or
// a file, which have other words before the colon.
func (s *scanner) openssl(i int) {
	t := s.text
	start, quote := s.opening(s.skip(i, 0))
	rest, ok := strings.CutPrefix(t[start:], "pass:")
	if !ok {
		if !strings.Contains(nextWord(t[start:]), ":") { // env:NAME
			s.passwordArgument(i)
		}
		return
	}
	start = len(t) - len(rest)
	end := s.extent(start, quote, false)
	if v := t[start:end]; v != "" && !reference(v, quote) && strongPassword(v) {
		s.add("password", weightValue, start, end)
	}
}

// gluedFlag handles mysql -pPASSWORD and rar -hpPASSWORD; the word begins at i.
func (s *scanner) gluedFlag(i int) {
	t := s.text
	if i < 2 || t[i-1] != '-' || !isSpace(t[i-2]) {
		return
	}
	if line := lineBefore(t, i); !mentions(line, "mysql", "mariadb", "7z ", "rar ", "sshpass") {
		return
	}
	if i = i + 1; t[i-1] == 'h' {
		i++
	}
	end := s.extent(i, 0, false)
	if i >= end {
		return
	}
	if v := t[i:end]; strongPassword(v) && !reference(v, 0) {
		s.add("password", weightValue, i, end)
	}
}
