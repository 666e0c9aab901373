package secrets

import "strings"

// reference reports whether a value only names or refers to a credential, or cannot be one: variables, templates,
// calls, paths, addresses, hashes.
func reference(v string, quote byte) bool {
	name, rest, assigned := strings.Cut(v, "=")
	switch {
	case variable(v, quote), isHash(v), isCode(v):
		return true
	case quote == 0 && strings.ContainsAny(v, "()[]"):
		return true
	case quote == 0 && assigned && strings.Trim(rest, "=") != "" && dottedName(name):
		return true
	}
	return dottedName(strings.TrimLeft(v, "*&")) || isPath(v) || fileName(v) || isTime(v) || isCmdlet(v)
}

// variable reports whether a value begins as a variable, a template or a tag does.
func variable(v string, quote byte) bool {
	switch v[0] {
	case '$':
		return len(v) > 1 && (quote == 0 || v[1] == '{' || v[1] == '(' || isUpper(v[1]) || strings.Count(v, "$") > 1)
	case '!':
		return allLetters(strings.NewReplacer("_", "", "/", "", ":", "", ".", "").Replace(v[1:])) // !secret name
	case '<', '{', '%', '&', '@', '.', '*', '^', '|', '\\':
		return !strongRandom(v)
	}
	return false
}

// isCode reports whether a value holds signs of code, or begins like something public.
func isCode(v string) bool {
	if number, ok := strings.CutPrefix(v, "0x"); ok && len(number) <= 16 && hexAny.all(number) {
		return true
	}
	switch {
	case strings.Count(v, ":") > 4: // a fingerprint
		return true
	case strings.ContainsAny(v, "{}<>"), strings.Contains(v, "$("), strings.Contains(v, "://"):
		return true
	case strings.Contains(v, "%s") && !everyKind(v):
		return true
	case len(v) > 100 && strings.HasPrefix(v, "Ag"): // sealed for a cluster
		return true
	}
	return hasPrefix(v, "arn:", "data:", "sha1-", "sha256", "sha384-", "sha512", "SHA256", "ENC[", "./", "../", "ssh-",
		"vault:", "kv/", "pk_live_", "pk_test_", "sb_publishable_", "phc_")
}

// isHash reports whether a value is a hash of a password as databases and files of users hold it, also behind the
// user's name.
func isHash(v string) bool {
	at := strings.IndexByte(v, ':')
	switch {
	case at >= 0 && hasPrefix(v[at+1:], "$2a$", "$2b$", "$2y$", "$apr1$", "$5$", "$6$", "{SHA}", "{SSHA}"):
		return true
	case hasPrefix(v, "SCRAM-SHA-", "{SHA}", "{SSHA}"):
		return true
	case strings.HasPrefix(v, "md5") && len(v) == len("md5")+32, v[0] == '*' && len(v) == 41:
		return hexAny.all(v[1:])
	}
	return false
}

// isCmdlet reports whether a value is the name of a command of PowerShell, a verb and a noun: ConvertTo-SecureString.
func isCmdlet(v string) bool {
	verb, noun, ok := strings.Cut(v, "-")
	return ok && isName(verb) && isName(noun)
}

// isName reports whether a word has letters only, the first a capital and the second not.
func isName(word string) bool {
	return allLetters(word) && len(word) > 2 && isUpper(word[0]) && isLower(word[1])
}

// dottedName reports whether a value is a path in code: var.db_password_2.
func dottedName(v string) bool {
	if !strings.Contains(v, ".") || !isAlpha(v[0]) {
		return false
	}
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || len(part) > 40 || !isAlpha(part[0]) && part[0] != '_' {
			return false
		}
		if !wordy.all(strings.ReplaceAll(part, "?", "")) || strongRandom(part) {
			return false
		}
	}
	return !leet(v) && !chained(v)
}

// isPath reports whether a value is the path of a file: none of its parts is random.
func isPath(v string) bool {
	if v[0] != '/' && v[0] != '~' && (len(v) < 3 || v[1] != ':' || v[2] != '\\') {
		return false
	}
	parts := strings.FieldsFunc(v, func(r rune) bool { return r == '/' || r == '\\' })
	if len(parts) > 3 && wordlike(parts[0]) && wordlike(parts[1]) {
		return true
	}
	for _, part := range parts {
		if strings.ContainsAny(part, "+=") || strongRandom(part) {
			return false
		}
	}
	return len(parts) > 1
}

// fileName reports whether a value ends as files do that hold keys and settings.
func fileName(v string) bool {
	return hasSuffix(v, ".pem", ".key", ".json", ".txt", ".yaml", ".yml", ".crt", ".p12", ".pfx", ".jks", ".env", ".go",
		".ts", ".js", ".py")
}

// isTime reports whether a value begins as a date or a time does.
func isTime(v string) bool {
	return len(v) >= 10 && isDigit(v[0]) && digits.has(v[3]) && digits.all(v[5:7]) && v[4] == '-' && v[7] == '-'
}

// isUUID reports whether a value is a UUID: a credential only beside an unmistakable name.
func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (v[i] == '-') || !dash && !isHex(v[i]) {
			return false
		}
	}
	return true
}

func isAddress(v string) bool {
	_, host, ok := strings.Cut(v, "@")
	return ok && strings.Contains(host, ".")
}
