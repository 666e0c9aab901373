package secrets

import "strings"

// place is where a command or a setting takes a password without a flag: the first argument behind skip others, and the
// one behind also when that is set. The line before has to mention a word and to end with another.
type place struct {
	mention, end string
	skip, also   int
}

// placeOf returns the place behind a word.
func placeOf(w string) (p place, ok bool) {
	switch w {
	case "user", "use": // net user NAME PASSWORD /add, net use DRIVE SHARE PASSWORD
		return place{end: "net ", skip: 1, also: 2}, true
	case "create", "setpassword", "add": // samba-tool user create NAME PASSWORD
		return place{mention: "samba-tool user", skip: 1}, true
	case "l2tpd", "pptpd": // of PPP: USER SERVER PASSWORD ADDRESSES
		return place{}, true
	case "SHA", "MD5": // of SNMP: createUser NAME SHA PASSWORD AES PASSWORD
		return place{mention: "createuser ", also: 2}, true
	case "add_user", "change_password", "wpa_passphrase", "upwd":
		return place{skip: 1}, true
	}
	return place{}, false
}

// positional handles commands and settings that take a password, or a key, as an argument without a flag, and reports
// whether w is of one.
func (s *scanner) positional(w string, start, end int) bool {
	if p, ok := placeOf(w); ok {
		line := lineBefore(s.text, start)
		if !strings.HasSuffix(line, p.end) || !mentions(line, p.mention) {
			return true
		}
		s.passwordArgument(s.skip(end, p.skip))
		if p.also > 0 {
			s.passwordArgument(s.skip(end, p.also))
		}
		return true
	}
	switch w {
	case "aws_secret_access_key", "secret_access_key":
		s.value(roleAWS, end)
	case "set": // mc alias set NAME URL KEY SECRET
		if strings.HasSuffix(lineBefore(s.text, start), "alias ") {
			s.value(roleWeak, s.skip(end, 3))
			s.passwordArgument(s.skip(end, 3))
		}
	case "rp", "p": // schtasks /ru USER /rp PASSWORD
		if line := lineBefore(s.text, start); strings.HasSuffix(line, " /") && !strings.HasSuffix(line, "set /") {
			s.passwordArgument(end)
		}
	case "digest": // of ZooKeeper: addauth digest USER:PASSWORD
		if mentions(lineBefore(s.text, start), "auth ") {
			s.login(end, ':')
		}
	case "AUTH":
		s.redisAuth(start, end)
	case "community", "rocommunity", "rwcommunity", "obscure", "rootpw", "psksecret":
		if w != "community" || mentions(lineBefore(s.text, start), "snmp") {
			s.passwordArgument(s.flags(end))
		}
	case "password": // drush user:password NAME PASSWORD
		if !strings.HasSuffix(s.text[:start], "user:") {
			return false
		}
		s.passwordArgument(s.skip(end, 1))
	default:
		return false
	}
	return true
}

// redisAuth handles AUTH PASSWORD and AUTH NAME PASSWORD.
func (s *scanner) redisAuth(start, end int) {
	if line := strings.TrimSpace(lineBefore(s.text, start)); line != "" && !mentions(line, "redis") {
		return
	}
	s.passwordArgument(end)
	if word := nextWord(s.text[end:]); !allUpper(word) || word == "" { // and not AUTH PLAIN
		s.passwordArgument(s.skip(end, 1))
	}
}

func (s *scanner) flags(i int) int {
	for range maxArguments {
		if i = s.skip(i, 0); !strings.HasPrefix(s.text[i:], "-") {
			break
		}
		i = s.skip(i, 1)
	}
	return i
}

// device handles what network devices take behind "secret", "key" and "password": enable secret …, tacacs-server key ….
func (s *scanner) device(start, after int) bool {
	line := strings.TrimLeft(lineBefore(s.text, start), " \t")
	if !hasPrefix(line, "enable ", "username ", "tacacs", "radius", "crypto ", "ntp auth", "key-string", "set ") {
		return false
	}
	s.passwordArgument(after)
	return true
}
