package mcp

import (
	"context"

	"ltm/api"
)

// change is an update of one memory.
type change struct {
	id    string
	patch api.Patch
}

func updateMemory(e Engine, session string) boundTool {
	s := spec{
		name: "update_memory", destructive: true,
		description: "Correct or extend a memory. What is left out stays. content replaces the whole text, append adds to it; " +
			"the text that is replaced goes to the archives. New text makes a faded memory full again.",
		input: `{"type":"object","properties":{"id":{"type":"string","description":"mem_ and 8 hex digits"},` +
			`"topic":{"type":"string","description":"new headline"},` +
			`"content":{"type":"string","description":"new text in the place of all of the old one"},` +
			`"append":{"type":"string","description":"instead of content: text to add at the end, markdown"},` +
			`"summary":{"type":"string","description":"new summary; empty: first paragraph"},` +
			`"tags":{"type":"array","items":{"type":"string"},"description":"instead of all old ones"},` +
			`"add_tags":{"type":"array","items":{"type":"string"},"description":"instead of tags: to add"},` +
			`"remove_tags":{"type":"array","items":{"type":"string"},"description":"instead of tags: to take away"},` +
			`"importance":{"type":"string","enum":["critical","important","normal","low"],"description":"how long it lasts"},` +
			`"difficulty":{"type":"number","minimum":0,"maximum":1,"description":"of what it took to learn this"},` +
			`"redact":{"type":"boolean","description":"mask credentials instead of refusing"}},"required":["id"]}`,
		output: receiptSchema,
	}
	decode := func(p *params) change {
		return change{p.id(), api.Patch{Topic: p.optionalText("topic"), Content: p.optionalText("content"), Append: p.optionalText("append"),
			Summary: p.optionalText("summary"), Tags: p.words("tags"), AddTags: p.list("add_tags"), RemoveTags: p.list("remove_tags"),
			Importance: p.level("importance"), Difficulty: p.share("difficulty"), Redact: p.flag("redact", false), Session: session}}
	}
	run := func(ctx context.Context, c change) (api.Receipt, error) { return e.Update(ctx, c.id, c.patch) }
	return bind(s, decode, run, receiptText)
}
