package secrets

import "strings"

// role is what a name says of the value beside it.
type role int

const (
	roleNone     role = iota
	roleWeak          // the value counts if it is random: NAME_KEY
	roleToken         // … or a UUID: NAME_TOKEN in an environment
	roleSecret        // … or like a password of some length: client secret
	roleAWS           // the value is the secret of an AWS key
	rolePassword      // the value counts if it is like a password
	roleSure          // … or like words and a number: nothing else stands in its place
)

// maxWords is how many words at the end of a name are looked at.
const maxWords = 6

// words cuts a name at capitals, dashes, dots, underscores and spaces, into lower
// case, and returns the last maxWords of them, the last one first.
func words(name string) (out [maxWords]string, n int) {
	for end := len(name); end > 0 && n < maxWords; {
		if !isAlnum(name[end-1]) {
			end--
			continue
		}
		start := end - 1
		for start > 0 && isAlnum(name[start-1]) && !camel(name, start) {
			start--
		}
		out[n] = strings.ToLower(name[start:end])
		n++
		end = start
	}
	return out, n
}

// camel reports whether a word of camel case begins at i: "dbPass", "APIKey".
func camel(name string, i int) bool {
	if !isUpper(name[i]) {
		return false
	}
	return isLower(name[i-1]) || isDigit(name[i-1]) || isUpper(name[i-1]) && i+1 < len(name) && isLower(name[i+1])
}

// roleOf judges a name by its last word that says something.
func roleOf(name string) role {
	if !telling(name) {
		return roleNone
	}
	all, n := words(name)
	w := all[:n]
	for len(w) > 1 && filler(w[0]) {
		w = w[1:]
	}
	if len(w) == 0 {
		return roleNone
	}
	last, before := w[0], ""
	if len(w) > 1 {
		before = w[1]
	}
	switch {
	case last == "key":
		return roleOfKey(name, w, before)
	case harmless(before):
		return roleNone
	case hasSuffix(last, "password", "passwd", "passphrase", "pwd", "passwort", "kennwort", "passe", "senha", "wachtwoord", "parola", "passord", "heslo", "salasana", "storepass", "keypass"), last == "pass" && name != "PASS", gluedPass(last),
		last == "passcode" && before != "", last == "pw", last == "psk":
		return rolePassword
	case hasSuffix(last, "secretaccesskey"):
		return roleAWS
	case hasSuffix(last, "apikey", "secretkey", "accesskey", "authkey", "privatekey", "secret", "credential", "credentials"):
		return roleSecret
	case last == "token" && (allUpper(name) && !perRequest(before) || service(before) || lasting(before)), last == "session" && before == "gitlab":
		return roleToken
	case hasSuffix(last, "authtoken", "accesstoken", "apitoken", "sastoken", "bottoken"), last == "token", last == "bearer", last == "authorization", last == "auth" && before == "":
		return roleWeak
	case last == "pat" && before != "" && allUpper(name): // GITLAB_PAT; else a pattern
		return roleWeak
	}
	return roleNone
}

// telling reports whether a name holds a word that roleOf knows: most do not, and
// are not taken apart.
func telling(name string) bool {
	if n := len(name); n > 1 && strings.EqualFold(name[n-2:], "pw") {
		return true
	}
	for i := 0; i+3 <= len(name); i++ {
		var rest string
		switch name[i] | 0x20 {
		case 'k':
			if rest = "key"; name[i+2]|0x20 == 'n' {
				rest = "kennwort"
			}
		case 'p':
			rest = passName(name[i:])
		case 's':
			switch rest = "secret"; name[i+2] | 0x20 {
			case 's':
				rest = "session"
			case 'n':
				rest = "senha"
			case 'l':
				rest = "salasana"
			}
		case 't':
			rest = "token"
		case 'c':
			rest = "credential"
		case 'a':
			rest = "auth"
		case 'b':
			rest = "bearer"
		case 'w':
			rest = "wachtwoord"
		case 'h':
			rest = "heslo"
		default:
			continue
		}
		if len(name)-i >= len(rest) && strings.EqualFold(name[i:i+len(rest)], rest) {
			return true
		}
	}
	return false
}

// gluedPass reports whether a word is a name with "pass" or "pw" behind it, as
// "requirepass" and "bindpw", and not one of the language.
func gluedPass(word string) bool {
	switch word {
	case "pass", "bypass", "compass", "encompass", "trespass", "surpass", "subpass", "overpass", "underpass", "multipass", "renderpass":
		return false
	}
	return hasSuffix(word, "pass", "pw")
}

// passName returns which word of a password's name may begin name, which has
// three bytes or more.
func passName(name string) string {
	switch {
	case name[1]|0x20 == 'w':
		return "pwd"
	case name[1]|0x20 == 's':
		return "psk"
	case name[2]|0x20 == 't':
		return "pat"
	case name[2]|0x20 == 'r':
		return "parola"
	}
	return "pass"
}

// roleOfKey judges a name that ends in "key" by the words before it.
func roleOfKey(name string, w []string, before string) role {
	if before == "shared" && len(w) > 2 && w[2] == "pre" || strings.Contains(name, "wireless.") {
		return rolePassword
	}
	switch before {
	case "wifi", "wlan", "network", "preshared":
		return rolePassword
	case "access":
		if len(w) > 2 && w[2] == "secret" {
			return roleAWS
		}
		return roleSecret
	case "secret":
		return roleSecret
	case "psk", "api", "auth", "private", "encryption", "signing", "master", "account", "shared", "service", "admin", "hmac", "license", "webhook",
		"storage", "routing", "write", "jwt", "aes", "recovery", "decryption", "session", "integration", "deploy", "ingest", "role", "app", "subscription":
		return roleSecret
	case "", "public", "pub", "cache", "primary", "foreign", "partition", "sort", "object", "idempotency", "map", "query", "index", "host", "group",
		"dedup", "row", "lookup", "natural", "composite", "unique", "hash", "range", "route", "translation", "message", "i18n", "lang",
		"config", "s3", "kms", "gpg", "ssh", "hot", "event", "the", "a", "storagekey", "react", "item", "tree", "registry", "bucket", "file", "tag":
		return roleNone
	}
	if allUpper(name) || ofService(name, before) { // SOME_KEY in an environment
		return roleWeak
	}
	return roleNone
}

// ofService reports whether a name of prose is that of a service's key: "our
// Datadog key".
func ofService(name, before string) bool {
	at := len(name) - len(before) - len(" key")
	if at < 0 {
		return false
	}
	switch before {
	case "datadog", "stripe", "openai", "anthropic", "sendgrid", "mailgun", "algolia", "mapbox", "maps", "segment", "amplitude", "mixpanel",
		"pusher", "deepl", "cohere", "mistral", "rapidapi":
		return true
	case "rsa", "dsa", "ecdsa", "eddsa", "ed25519", "pgp", "host": // the id of one
		return false
	}
	return isUpper(name[at]) && name[at+len(before)] == ' '
}

// filler reports whether a word at the end of a name says nothing of its role.
func filler(word string) bool {
	switch word {
	case "value", "val", "string", "str", "base", "raw", "b64", "base64", "prod", "production", "dev", "staging", "live", "old", "new",
		"current", "previous", "1", "2", "v1", "v2", "here", "now", "default", "none":
		return true
	}
	return false
}

// harmless reports whether the word before "token" or "secret" makes it one of
// another kind.
func harmless(word string) bool {
	switch word {
	case "page", "continuation", "cursor", "sync", "csrf", "xsrf", "encrypted", "sealed", "max", "num", "next", "hashed", "public":
		return true
	}
	return false
}

// lasting reports whether the word before "token" makes it one that is kept, and
// may be a UUID.
func lasting(word string) bool {
	switch word {
	case "auth", "api", "access", "deploy", "personal", "server", "bot":
		return true
	}
	return false
}

// service reports whether the word before "token" is a service whose tokens are
// UUIDs.
func service(word string) bool {
	switch word {
	case "heroku", "snyk", "railway", "postmark", "codecov", "squarespace", "sendbird", "hubspot", "consul", "nomad", "scaleway", "kucoin", "messagebird":
		return true
	}
	return false
}

// perRequest reports whether the word before "token" makes it one that a UUID
// serves as without being a credential.
func perRequest(word string) bool {
	switch word {
	case "session", "request", "device", "push", "idempotency", "client", "correlation":
		return true
	}
	return false
}

func hasPrefix(word string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(word, p) {
			return true
		}
	}
	return false
}

func hasSuffix(word string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(word, s) {
			return true
		}
	}
	return false
}
