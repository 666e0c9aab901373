package mcp

import (
	"fmt"
	"strings"

	"ltm/memory"
)

const idSchema = `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`

func getMemory(e Engine) boundTool {
	s := spec{
		name: "get_memory", always: true, readOnly: true,
		description: "Read one memory in full, by the id that recall or the session's start showed. Counts as use, which keeps it.",
		input:       idSchema,
		output: `{"type":"object","properties":{"id":{"type":"string"},"topic":{"type":"string"},"content":{"type":"string"},` +
			`"summary":{"type":"string"},"archived":{"type":"boolean"}},"required":["id","topic","content"]}`,
	}
	return bind(s, (*params).id, e.Get, detailText)
}

func detailText(d memory.Detail) string {
	body := d.Content
	if body == "" {
		body = d.Summary
	}
	if d.Conflicted {
		body = "(one side of a merge that nobody has settled)\n\n" + body
	}
	return fmt.Sprintf("%s\n%s [%s]\n\n%s", d.Topic, d.ID, strings.Join(d.Tags, ", "), body)
}
