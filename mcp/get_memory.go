package mcp

import (
	"fmt"
	"strings"

	"ltm/internal/safetext"
	"ltm/memory"
)

const idSchema = `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`

func getMemory(e Engine) boundTool {
	s := spec{
		name: "get_memory", always: true, atOnce: true,
		description: "Read one memory in full, by the id that recall or the session's start showed. Counts as use, which keeps it.",
		input:       idSchema,
		output: `{"type":"object","properties":{"id":{"type":"string"},"topic":{"type":"string"},"content":{"type":"string"},` +
			`"summary":{"type":"string"},"archived":{"type":"boolean"}},"required":["id","topic","content"]}`,
	}
	return bind(s, (*params).id, e.Get, detailText)
}

// detailText is a memory that stands alone, and that may be written back: its text
// is not quoted.
func detailText(d memory.Detail) string {
	body := d.Content
	if body == "" {
		body = d.Summary
	}
	if d.Conflicted {
		body = "(one side of a merge that nobody has settled)\n\n" + body
	}
	return fmt.Sprintf("%s\n%s [%s]\n\n%s", safetext.Line(d.Topic), d.ID, safetext.Line(strings.Join(d.Tags, ", ")), body)
}
