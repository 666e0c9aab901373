package secrets

import "strings"

// minSpoken is the minimum length of a password in a sentence.
const minSpoken = 8

// spoken reports whether a word of a sentence is a password: letters with digits and signs among them, which technical
// terms rarely have. When the sentence is sure of it, a word with a capital and a number will do.
func spoken(word string, sure bool) bool {
	v := trimPunct(word)
	if keyGroups(v) {
		return sure
	}
	bare := strings.TrimRight(v, "!?")
	if !speakable(v, bare) {
		return false
	}
	both := small.in(bare) && capitals.in(bare)
	switch {
	case !digits.in(bare):
		return both && strings.ContainsAny(bare, "!#$%^&*?~")
	case strings.ContainsAny(bare, "!#$%^&*?~@") || bare != v && letters.in(bare): // with a sign, also at its end
		return (both || leet(bare) || strings.ContainsAny(bare, "!$%^*?")) && !numbered(bare)
	case leet(bare):
		return !strings.Contains(v, ".") && (both || !joined(v))
	case strongRandom(v):
		return (capitals.in(bare) || !joined(v) && !strings.Contains(v, ".")) && !technical(v)
	}
	return sure && (chained(v) || wordWithNumber(v, bare))
}

// wordWithNumber reports whether a value may be a password where nothing else is expected: a word and a number.
func wordWithNumber(v, bare string) bool {
	if !small.in(bare) || strings.Contains(v, ".") || numbered(bare) || technical(v) {
		return false
	}
	if joined(v) {
		return capitals.in(bare)
	}
	_, _, digit, _ := classes(bare)
	return digit > 1
}

// joined reports whether a value has signs that join words.
func joined(v string) bool { return (dash | underscore).in(v) }

// speakable rules out what a password in a sentence cannot be; bare is the value without marks at its end.
func speakable(v, bare string) bool {
	switch {
	case len(v) < minSpoken && !strongShort(v), !strongPassword(v) && !chained(v):
		return false
	case reference(v, 0), strings.ContainsAny(v, "()[]{}<>=,;:/\\|\"'`"), isAddress(v), participle(bare):
		return false
	}
	return isAlnum(v[0]) && !hexLower.all(v) && !(allUpper(v) && strings.Contains(v, "_"))
}

// strongShort reports whether a short value makes up for its length: with small letters, capitals, digits and signs.
func strongShort(v string) bool {
	_, _, _, other := classes(v)
	return len(v) >= minPassword && mixed(v) && (other > 0 || len(v) > minPassword && leet(v))
}

// generated reports whether a word of a sentence was made by a machine.
func generated(word string) bool {
	v := trimPunct(word)
	return strongRandom(v) && strings.IndexByte(v, '-') < 0
}

// leet reports whether a value has a digit between two letters, in a part that is not a technical term: "gr4nite", not
// "k8s" or "base64url".
func leet(v string) bool {
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r < 0x80 && !isAlnum(byte(r)) }) {
		if technical(part) {
			continue
		}
		for i := 1; i+1 < len(part); i++ {
			if isDigit(part[i]) && isAlpha(part[i-1]) && isAlpha(part[i+1]) {
				return true
			}
		}
	}
	return false
}

// technical reports whether a word begins like a technical term that may have digits.
func technical(word string) bool {
	return hasPrefix(strings.ToLower(word), "k8s", "i18n", "l10n", "a11y", "e2e", "p2p", "b2b", "b2c", "ec2", "log4j",
		"web3", "base64", "base32", "argon2", "sha1", "sha2", "sha3", "sha5", "md5", "pbkdf2", "bcrypt", "oauth2",
		"utf8", "x509", "ed25519", "ipv4", "ipv6", "fido2", "n8n", "db2", "auth0", "h264", "mp3", "mp4", "http2",
		"http3", "s3cmd", "s3fs", "tls1", "u2f", "win32", "x86", "arm64", "amd64", "postgres", "mysql", "redis",
		"mongo", "node", "python", "java", "php", "ubuntu", "debian", "rhel", "windows", "office", "outlook",
		"exchange", "aes", "chacha", "xchacha", "poly1305", "yubikey", "hash", "totp", "hotp", "pkcs", "rfc",
		"keycloak", "vault", "oauth", "saml")
}

// numbered reports whether a value is a word of capitals with a number, like the names of documents and tickets:
// "ADR-0042", "PR#12".
func numbered(v string) bool {
	rest := strings.TrimLeft(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return rest != v && strings.Trim(rest, "0123456789-#.") == ""
}

// participle reports whether a word says what was done to the one before it: the password is Base64 encoded.
func participle(word string) bool {
	return hasSuffix(strings.TrimRight(word, ".,;:)"), "ed", "ing", "able")
}

// trimPunct takes the signs off a word's end that belong to the sentence.
func trimPunct(word string) string { return strings.TrimRight(word, ".,;:)`\"'") }
