package secrets

import "strings"

// role is what a name says of the value beside it.
type role int

const (
	roleNone     role = iota
	roleWeak          // the value counts if it is random: NAME_KEY
	roleSecret        // … or like a password of some length: client secret
	rolePassword      // the value counts if it is like a password
	roleAWS           // the value is the secret of an AWS key
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
	case hasSuffix(last, "password", "passwd", "passphrase", "pwd", "passwort"), last == "pass" && name != "PASS", last == "passcode" && before != "":
		return rolePassword
	case hasSuffix(last, "secretaccesskey"):
		return roleAWS
	case hasSuffix(last, "apikey", "secretkey", "accesskey", "authkey", "privatekey", "secret", "credential", "credentials"):
		return roleSecret
	case hasSuffix(last, "authtoken", "accesstoken"), last == "token", last == "bearer", last == "authorization", last == "auth" && before == "":
		return roleWeak
	case last == "pat" && before != "" && strings.ToUpper(name) == name: // GITLAB_PAT; else a pattern
		return roleWeak
	}
	return roleNone
}

// telling reports whether a name holds a word that roleOf knows: most do not, and
// are not taken apart.
func telling(name string) bool {
	for i := 0; i+3 <= len(name); i++ {
		var rest string
		switch name[i] | 0x20 {
		case 'k':
			rest = "key"
		case 'p':
			if rest = "pass"; name[i+1]|0x20 == 'w' {
				rest = "pwd"
			} else if name[i+2]|0x20 == 't' {
				rest = "pat"
			}
		case 's':
			rest = "secret"
		case 't':
			rest = "token"
		case 'c':
			rest = "credential"
		case 'a':
			rest = "auth"
		case 'b':
			rest = "bearer"
		default:
			continue
		}
		if len(name)-i >= len(rest) && strings.EqualFold(name[i:i+len(rest)], rest) {
			return true
		}
	}
	return false
}

// roleOfKey judges a name that ends in "key" by the words before it.
func roleOfKey(name string, w []string, before string) role {
	switch before {
	case "access":
		if len(w) > 2 && w[2] == "secret" {
			return roleAWS
		}
		return roleSecret
	case "secret":
		return roleSecret
	case "api", "auth", "private", "encryption", "signing", "master", "account", "shared", "service", "admin", "hmac", "license", "webhook",
		"storage", "session", "integration", "deploy", "ingest", "role", "app", "subscription":
		return roleSecret
	case "", "public", "pub", "cache", "primary", "foreign", "partition", "sort", "object", "idempotency", "map", "query", "index", "host", "group",
		"dedup", "row", "lookup", "natural", "composite", "unique", "hash", "range", "route", "routing", "translation", "message", "i18n", "lang",
		"config", "s3", "kms", "gpg", "ssh", "hot", "event", "the", "a", "storagekey", "react", "item", "tree", "registry", "bucket", "file", "tag":
		return roleNone
	}
	if strings.ToUpper(name) == name { // SOME_KEY in an environment
		return roleWeak
	}
	return roleNone
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

func hasSuffix(word string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(word, s) {
			return true
		}
	}
	return false
}
