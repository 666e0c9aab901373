//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// longString bounds a string in a saved transcript, and longLine a line that says nothing about the
// work.
const (
	longString = 200
	longLine   = 1500
)

// neutral removes from a transcript what is specific to this machine and this run, and long texts,
// above all the client's prompts. The result can still differ between runs, because the client does
// not always write the same lines in the same order.
func neutral(raw string, folders [][2]string) string {
	for _, f := range folders {
		from, to := f[0], f[1]
		raw = strings.ReplaceAll(raw, from, to)
		// The client derives directory names from paths.
		dashed := regexp.MustCompile("[^A-Za-z0-9]").ReplaceAllString(from, "-")
		raw = strings.ReplaceAll(raw, dashed, strings.ReplaceAll(to, "/", "-"))
	}
	for _, c := range []struct{ what, with string }{
		{`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`, "2026-01-15T10:30:00.000Z"},
		{`\d{4}-\d\d-\d\d\b`, "2026-01-15"},
		{`"([A-Za-z]*(?:Ms|Tokens|USD)|[a-z_]*input_tokens)":[\d.]+`, `"$1":1000`},
		{`(subagent_tokens|duration_ms): \d+`, "$1: 1000"},
		{`<(subagent_tokens|duration_ms)>\d+<`, "<$1>1000<"},
		{`"([a-zA-Z]*[mM]odel)":"[^"]*"`, `"$1":"claude"`},
		{`"slug":"[^"]*"`, `"slug":"calm-blue-lake"`},
		{`"[0-9a-f]{20,128}"`, `"0"`},
	} {
		raw = regexp.MustCompile(c.what).ReplaceAllString(raw, c.with)
	}
	raw = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllStringFunc(raw, func(s string) string {
		if len(s) > longString && !strings.HasPrefix(s, `"Claude requested`) && !strings.HasPrefix(s, `"rm in`) {
			return `"(long text)"`
		}
		return s
	})
	var b strings.Builder
	for line := range strings.Lines(raw) {
		var entry struct{ Type string }
		_ = json.Unmarshal([]byte(line), &entry)
		switch entry.Type {
		case "user", "assistant", "system":
		case "attachment":
			line = "{\"parentUuid\":null,\"isSidechain\":false,\"attachment\":{},\"type\":\"attachment\"}\n"
		default:
			if !strings.Contains(line, `"tool_use`) || len(line) > longLine {
				line = fmt.Sprintf("{\"type\":%q}\n", entry.Type)
			}
		}
		b.WriteString(line)
	}
	raw = b.String()
	raw = numbered(raw, `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "00000000-0000-4000-8000-%012d")
	raw = numbered(raw, `\bmsg_\d{20}`, "msg_%020d")
	raw = numbered(raw, `\btoolu_\d{20}`, "toolu_%020d")
	raw = numbered(raw, `\ba[0-9a-f]{16}\b`, "a%016d")
	return raw
}

// numbered replaces each match by its number, in order of appearance.
func numbered(raw, what, format string) string {
	numbers := map[string]string{}
	return regexp.MustCompile(what).ReplaceAllStringFunc(raw, func(s string) string {
		if numbers[s] == "" {
			numbers[s] = fmt.Sprintf(format, len(numbers)+1)
		}
		return numbers[s]
	})
}
