package secrets

import "strings"

// positional handles commands and settings that take a password, or a key, as an
// argument without a flag, and reports whether w is of one.
func (s *scanner) positional(w string, start, end int) bool {
	t := s.text
	switch w {
	case "aws_secret_access_key", "secret_access_key":
		s.value(roleAWS, end, false, false)
	case "set": // mc alias set NAME URL KEY SECRET
		if strings.HasSuffix(lineBefore(t, start), "alias ") {
			s.value(roleWeak, s.skip(end, 3), false, false)
			s.passwordArgument(s.skip(end, 3))
		}
	case "user", "use": // net user NAME PASSWORD /add, net use DRIVE SHARE PASSWORD
		if strings.HasSuffix(lineBefore(t, start), "net ") {
			s.passwordArgument(s.skip(end, 1))
			s.passwordArgument(s.skip(end, 2))
		}
	case "create", "setpassword", "add": // samba-tool user create NAME PASSWORD
		if mentions(lineBefore(t, start), "samba-tool user") {
			s.passwordArgument(s.skip(end, 1))
		}
	case "rp", "p": // schtasks /ru USER /rp PASSWORD
		if line := lineBefore(t, start); strings.HasSuffix(line, " /") && !strings.HasSuffix(line, "set /") {
			s.passwordArgument(end)
		}
	case "digest": // of ZooKeeper: addauth digest USER:PASSWORD
		if mentions(lineBefore(t, start), "auth ") {
			s.login(end, ':')
		}
	case "AUTH": // of Redis
		if line := strings.TrimSpace(lineBefore(t, start)); line == "" || mentions(line, "redis") {
			s.passwordArgument(end)
			if word := nextWord(t[end:]); !allUpper(word) || word == "" { // AUTH NAME PASSWORD, not AUTH PLAIN
				s.passwordArgument(s.skip(end, 1))
			}
		}
	case "community", "rocommunity", "rwcommunity", "obscure", "rootpw", "psksecret":
		if w != "community" || mentions(lineBefore(t, start), "snmp") {
			s.passwordArgument(s.flags(end))
		}
	case "l2tpd", "pptpd": // of PPP: USER SERVER PASSWORD ADDRESSES
		s.passwordArgument(end)
	case "SHA", "MD5": // of SNMP: createUser NAME SHA PASSWORD AES PASSWORD
		if mentions(lineBefore(t, start), "createuser ") {
			s.passwordArgument(end)
			s.passwordArgument(s.skip(end, 2))
		}
	case "password": // drush user:password NAME PASSWORD
		if !strings.HasSuffix(t[:start], "user:") {
			return false
		}
		s.passwordArgument(s.skip(end, 1))
	case "add_user", "change_password", "wpa_passphrase", "upwd":
		s.passwordArgument(s.skip(end, 1))
	default:
		return false
	}
	return true
}

// flags skips the flags that begin behind i.
func (s *scanner) flags(i int) int {
	for range maxArguments {
		if i = s.skip(i, 0); !strings.HasPrefix(s.text[i:], "-") {
			break
		}
		i = s.skip(i, 1)
	}
	return i
}

// device handles what devices of networks take behind "secret", "key" and
// "password": enable secret …, tacacs-server key ….
func (s *scanner) device(start, after int) bool {
	line := lineBefore(s.text, start)
	if !hasPrefix(strings.TrimLeft(line, " \t"), "enable ", "username ", "tacacs", "radius", "crypto ", "ntp auth", "key-string", "set ") {
		return false
	}
	s.passwordArgument(after)
	return true
}
