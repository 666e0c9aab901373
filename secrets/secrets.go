// Package secrets finds credentials in text: keys and tokens of well-known
// services, private keys, and passwords in connection strings and assignments.
// It is pure, and prefers a false alarm that a person can answer (mask it) to a
// credential in git.
package secrets

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Finding is one credential in a text.
type Finding struct {
	Kind       string // what it looks like, for people
	Start, End int    // bytes of the text
}

// Mask takes the place of a credential.
const Mask = "[redacted]"

type pattern struct {
	kind  string
	probe string // must stand in the text for expr to be worth a look
	expr  *regexp.Regexp
	group int // the group of expr that is the credential
}

// patterns are compiled at the first use: most processes never look.
var patterns = sync.OnceValue(func() []pattern {
	rule := func(kind, probe, expr string, group int) pattern {
		return pattern{kind, probe, regexp.MustCompile(expr), group}
	}
	return []pattern{
		rule("private key", "PRIVATE KEY", `-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`, 0),
		rule("AWS access key", "", `\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`, 0),
		rule("GitHub token", "gh", `\bgh[pousr]_[0-9A-Za-z]{36,255}\b`, 0),
		rule("GitHub token", "github_pat_", `\bgithub_pat_[0-9A-Za-z_]{50,255}\b`, 0),
		rule("GitLab token", "glpat-", `\bglpat-[0-9A-Za-z_-]{20,}`, 0),
		rule("Slack token", "xox", `\bxox[abprs]-[0-9A-Za-z-]{10,}`, 0),
		rule("Slack webhook", "hooks.slack.com", `hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/[0-9A-Za-z]{16,}`, 0),
		rule("Stripe key", "_live_", `\b[sr]k_live_[0-9A-Za-z]{16,}`, 0),
		rule("Google API key", "AIza", `\bAIza[0-9A-Za-z_-]{35}`, 0),
		rule("API key", "sk-", `\bsk-(?:ant-|proj-|svcacct-)?[0-9A-Za-z_-]{32,}`, 0),
		rule("npm token", "npm_", `\bnpm_[0-9A-Za-z]{36}\b`, 0),
		rule("JSON web token", "eyJ", `\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}`, 0),
		rule("password in a URL", "://", `\b[a-z][a-z0-9+.-]*://[^\s:/@'"<>]+:([^\s/@'"<>]{3,})@`, 1),
		rule("password", "", `(?i)\b[a-z0-9_.-]*(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token)["']?\s*[:=]\s*["']?([^\s"',;]{8,})`, 1),
	}
})

// Find returns the credentials in text, in order, without overlaps.
func Find(text string) []Finding {
	var found []Finding
	for _, p := range patterns() {
		if !strings.Contains(text, p.probe) {
			continue
		}
		for _, m := range p.expr.FindAllStringSubmatchIndex(text, -1) {
			f := Finding{p.kind, m[2*p.group], m[2*p.group+1]}
			if p.group == 0 || looksReal(text[f.Start:f.End]) {
				found = append(found, f)
			}
		}
	}
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var out []Finding
	for _, f := range found {
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			continue
		}
		out = append(out, f)
	}
	return out
}

// looksReal tells a value from a placeholder, a variable or a word of prose: a
// password in an assignment counts when it mixes letters with digits or symbols.
func looksReal(value string) bool {
	lower := strings.ToLower(value)
	for _, fake := range []string{"example", "placeholder", "changeme", "your", "xxxx", "****", "redacted", "secret", "password", "test", "dummy", "todo"} {
		if strings.Contains(lower, fake) {
			return false
		}
	}
	if strings.ContainsAny(value, "${}<>()[]") || strings.HasPrefix(value, "%") {
		return false
	}
	letters, others := 0, 0
	for _, r := range value {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letters++
		case r != '.' && r != '_' && r != '-' && r != '/':
			others++
		}
	}
	return letters > 0 && others > 0
}

// Redact returns text with every credential masked, and how many there were.
func Redact(text string) (string, int) {
	found := Find(text)
	if len(found) == 0 {
		return text, 0
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(Mask)
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String(), len(found)
}
