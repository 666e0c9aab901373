package secrets

import "strings"

// minSpoken is how long a password of a sentence is at least.
const minSpoken = 8

// spoken reports whether a word of a sentence is a password: letters with digits
// and signs among them, which names of the trade rarely have. When the sentence is
// sure of it, a capital and a number behind a word will do.
func spoken(word string, sure bool) bool {
	v := strings.TrimRight(word, ".,;:)`\"'")
	bare := strings.TrimRight(v, "!?")
	if keyGroups(v) {
		return sure
	}
	if len(v) < minSpoken && !strongShort(v) || !strongPassword(v) && !chained(v) || reference(v, 0) || strings.ContainsAny(v, "()[]{}<>=,;:/\\|\"'`") || isAddress(v) || participle(bare) {
		return false
	}
	lower, upper, digit, _ := classes(bare)
	switch {
	case allUpper(v) && strings.Contains(v, "_"), !isAlpha(v[0]) && !isDigit(v[0]), strings.Trim(v, "0123456789abcdef") == "":
		return false
	case digit == 0:
		return strings.ContainsAny(bare, "!#$%^&*?~") && lower > 0 && upper > 0
	case strings.ContainsAny(bare, "!#$%^&*?~@") || bare != v && upper+lower > 0:
		return (upper > 0 && lower > 0 || leet(bare) || strings.ContainsAny(bare, "!$%^*?")) && !numbered(bare)
	case leet(bare):
		return !strings.Contains(v, ".") && (upper > 0 && lower > 0 || !strings.ContainsAny(v, "-_"))
	case strongRandom(v):
		return (upper > 0 || !strings.ContainsAny(v, "-_.")) && !technical(v)
	}
	if chained(v) {
		return sure
	}
	dashes := strings.ContainsAny(v, "-_")
	return sure && lower > 0 && digit > 0 && (upper > 0 || digit > 1 && !dashes) && !strings.Contains(v, ".") && !numbered(bare) && !technical(v) &&
		(digit > 1 || dashes && upper > 0)
}

// strongShort reports whether a value makes up for being short: with small letters,
// capitals, digits and signs.
func strongShort(v string) bool {
	lower, upper, digit, other := classes(v)
	return len(v) >= minPassword && lower > 0 && upper > 0 && digit > 0 && (other > 0 || len(v) > minPassword && leet(v))
}

// generated reports whether a word of a sentence was made by a machine.
func generated(word string) bool {
	v := strings.TrimRight(word, ".,;:)`\"'")
	return strongRandom(v) && strings.IndexByte(v, '-') < 0
}

// leet reports whether a value has a digit between two letters, in a part that is
// no name of the trade: "gr4nite", not "k8s" or "base64url".
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

// technical reports whether a word with digits inside is one of the trade.
func technical(word string) bool {
	lower := strings.ToLower(word)
	for _, name := range []string{"k8s", "i18n", "l10n", "a11y", "e2e", "p2p", "b2b", "b2c", "ec2", "log4j", "web3", "base64", "base32", "argon2",
		"sha1", "sha2", "sha3", "sha5", "md5", "pbkdf2", "bcrypt", "oauth2", "utf8", "x509", "ed25519", "ipv4", "ipv6", "fido2", "n8n", "db2",
		"auth0", "h264", "mp3", "mp4", "http2", "http3", "s3cmd", "s3fs", "tls1", "u2f", "win32", "x86", "arm64", "amd64",
		"postgres", "mysql", "redis", "mongo", "node", "python", "java", "php", "ubuntu", "debian", "rhel", "windows", "office", "outlook", "exchange",
		"aes", "chacha", "xchacha", "poly1305", "yubikey", "hash", "totp", "hotp", "pkcs", "rfc", "keycloak", "vault", "oauth", "saml"} {
		if strings.HasPrefix(lower, name) {
			return true
		}
	}
	return false
}

// numbered reports whether a value is a word of capitals with a number, like the
// names of documents and tickets: "ADR-0042", "PR#12".
func numbered(v string) bool {
	rest := strings.TrimLeft(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return rest != v && strings.Trim(rest, "0123456789-#.") == ""
}

// participle reports whether a word says what was done to the one before it: the
// password is Base64 encoded.
func participle(word string) bool {
	return hasSuffix(strings.TrimRight(word, ".,;:)"), "ed", "ing", "able")
}
