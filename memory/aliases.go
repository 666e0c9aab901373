package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on aliases. Longer ones in files count as unreadable.
const (
	MaxAliases    = 8 // of a memory
	MaxAliasChars = 120
)

// NormalizeAlias returns an alias on one line: runs of white space and control characters become one
// space. The result can be empty.
func NormalizeAlias(s string) (string, error) {
	if err := checkText("alias", s); err != nil {
		return "", err
	}
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if n := utf8.RuneCountInString(s); n > MaxAliasChars {
		return "", NewError(CodeInvalid, KindAliasTooLong, "aliases",
			"an alias has %d characters; an alias is one line of at most %d characters", n, MaxAliasChars)
	}
	return s, nil
}

// NormalizeAliases normalizes each alias as [NormalizeAlias] does, drops empty ones and, whatever
// their case, repeated ones, and keeps the order. The result is nil for none.
func NormalizeAliases(aliases []string) ([]string, error) {
	var out []string
	for _, alias := range aliases {
		a, err := NormalizeAlias(alias)
		if err != nil {
			return nil, err
		}
		if a == "" || HasAlias(out, a) {
			continue
		}
		if len(out) == MaxAliases {
			return nil, NewError(CodeInvalid, KindAliasesTooMany, "aliases",
				"that makes %d aliases; at most %d aliases are allowed", len(aliases), MaxAliases)
		}
		out = append(out, a)
	}
	return out, nil
}

// IsAlias reports whether s can be a stored alias.
func IsAlias(s string) bool { return s != "" && isLine(s, MaxAliasChars) }

// HasAlias reports whether aliases have an alias, whatever its case.
func HasAlias(aliases []string, alias string) bool {
	return slices.ContainsFunc(aliases, func(a string) bool { return strings.EqualFold(a, alias) })
}
