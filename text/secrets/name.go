package secrets

import (
	"slices"
	"strings"
)

// role is what a name says about the value beside it.
type role int

const (
	roleNone     role = iota
	roleWeak          // the value counts if it is random: NAME_KEY
	roleToken         // … or a UUID: NAME_TOKEN in an environment
	roleSecret        // … or like a password of some length: client secret
	roleAWS           // the value is the secret of an AWS key
	rolePassword      // the value counts if it is like a password
	roleSure          // … or like words and a number: only a password can be here
)

// maxWords is how many words at the end of a name are examined.
const maxWords = 6

// words cuts a name at capitals and at everything that is not a letter or digit, and returns the last maxWords words in
// lower case, the last one first.
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

// roleOf judges a name by its last word that is not a filler.
func roleOf(name string) role {
	if !telling(name) {
		return roleNone
	}
	all, n := words(name)
	w := all[:n]
	for len(w) > 1 && oneOf(w[0], "value", "val", "string", "str", "base", "raw", "b64", "base64", "prod", "production",
		"dev", "staging", "live", "old", "new", "current", "previous", "1", "2", "v1", "v2", "here", "now", "default",
		"none") { // which say nothing
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
	case oneOf(before, "page", "continuation", "cursor", "sync", "csrf", "xsrf", "encrypted", "sealed", "max", "num",
		"next", "hashed", "public"):
		return roleNone
	case isPassword(name, last, before):
		return rolePassword
	case hasSuffix(last, "secretaccesskey"):
		return roleAWS
	case hasSuffix(last, "apikey", "secretkey", "accesskey", "authkey", "privatekey", "secret", "credential",
		"credentials"):
		return roleSecret
	}
	return roleOfToken(name, last, before)
}

// isPassword reports whether the last word of a name is one for a password.
func isPassword(name, last, before string) bool {
	switch last {
	case "pass":
		return name != "PASS"
	case "passcode":
		return before != ""
	case "pw", "psk":
		return true
	}
	return gluedPass(last) || hasSuffix(last, "password", "passwd", "passphrase", "pwd", "passwort", "kennwort",
		"passe", "senha", "wachtwoord", "parola", "passord", "heslo", "salasana", "storepass", "keypass")
}

// roleOfToken judges a name that ends in a word for a token.
func roleOfToken(name, last, before string) role {
	switch last {
	case "session":
		if before == "gitlab" {
			return roleToken
		}
	case "token":
		// A UUID counts, too, of what is kept, and of the services whose tokens are UUIDs.
		if allUpper(name) && !oneOf(before, "session", "request", "device", "push", "idempotency", "client",
			"correlation") || oneOf(before, "auth", "api", "access", "deploy", "personal", "server", "bot", "heroku",
			"snyk", "railway", "postmark", "codecov", "squarespace", "sendbird", "hubspot", "consul", "nomad",
			"scaleway", "kucoin", "messagebird") {
			return roleToken
		}
		return roleWeak
	case "bearer", "authorization":
		return roleWeak
	case "auth":
		if before == "" {
			return roleWeak
		}
	case "pat": // GITLAB_PAT; else a pattern
		if before != "" && allUpper(name) {
			return roleWeak
		}
	}
	if hasSuffix(last, "authtoken", "accesstoken", "apitoken", "sastoken", "bottoken") {
		return roleWeak
	}
	return roleNone
}

// telling reports whether a name holds a word that roleOf knows: most do not and are not split into words.
func telling(name string) bool {
	if endsFold(name, "pw") {
		return true
	}
	for i := 0; i+3 <= len(name); i++ {
		if beginsFold(name[i:], "auth", "bearer", "credential", "heslo", "key", "kennwort", "pass", "pwd", "psk", "pat",
			"parola", "secret", "session", "senha", "salasana", "token", "wachtwoord") {
			return true
		}
	}
	return false
}

// gluedPass reports whether a word is a name with "pass" or "pw" at its end, such as "requirepass" and "bindpw", and
// not a word of English.
func gluedPass(word string) bool {
	return hasSuffix(word, "pass", "pw") && !oneOf(word, "pass", "bypass", "compass", "encompass", "trespass",
		"surpass", "subpass", "overpass", "underpass", "multipass", "renderpass")
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
	case "secret", "psk", "api", "auth", "private", "encryption", "signing", "master", "account", "shared", "service",
		"admin", "hmac", "license", "webhook", "storage", "routing", "write", "jwt", "aes", "recovery", "decryption",
		"session", "integration", "deploy", "ingest", "role", "app", "subscription":
		return roleSecret
	case "", "public", "pub", "cache", "primary", "foreign", "partition", "sort", "object", "idempotency", "map",
		"query", "index", "host", "group", "dedup", "row", "lookup", "natural", "composite", "unique", "hash", "range",
		"route", "translation", "message", "i18n", "lang", "config", "s3", "kms", "gpg", "ssh", "hot", "event", "the",
		"a", "storagekey", "react", "item", "tree", "registry", "bucket", "file", "tag":
		return roleNone
	}
	if allUpper(name) || ofService(name, before) { // SOME_KEY in an environment
		return roleWeak
	}
	return roleNone
}

// ofService reports whether a name in prose is that of a service's key: "our Datadog key".
func ofService(name, before string) bool {
	at := len(name) - len(before) - len(" key")
	if at < 0 || oneOf(before, "rsa", "dsa", "ecdsa", "eddsa", "ed25519", "pgp", "host") { // an id of one
		return false
	}
	return isUpper(name[at]) && name[at+len(before)] == ' ' ||
		oneOf(before, "datadog", "stripe", "openai", "anthropic", "sendgrid", "mailgun", "algolia", "mapbox", "maps",
			"segment", "amplitude", "mixpanel", "pusher", "deepl", "cohere", "mistral", "rapidapi")
}

func oneOf(word string, list ...string) bool { return slices.Contains(list, word) }

func hasPrefix(word string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(word, p) })
}

func hasSuffix(word string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(word, s) })
}

// beginsFold reports whether a text begins with one of some words, in any case.
func beginsFold(text string, words ...string) bool {
	for _, w := range words {
		if len(text) >= len(w) && text[0]|0x20 == w[0] && text[1]|0x20 == w[1] && strings.EqualFold(text[:len(w)], w) {
			return true
		}
	}
	return false
}

// endsFold reports whether a text ends with one of some words, in any case.
func endsFold(text string, words ...string) bool {
	for _, w := range words {
		if rest := len(text) - len(w); rest >= 0 && text[len(text)-1]|0x20 == w[len(w)-1]|0x20 &&
			strings.EqualFold(text[rest:], w) {
			return true
		}
	}
	return false
}

// afterLast returns what follows the last separator in a text, or all of it.
func afterLast(text string, sep byte) string { return text[strings.LastIndexByte(text, sep)+1:] }
