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
		output: receiptSchema,
	}
	run := func(ctx context.Context, c change) (api.Receipt, error) {
		c.patch.Session = session
		return e.Update(ctx, c.id, c.patch)
	}
	return bind(s, updateParams, run, receiptText)
}

func updateParams(c *change) []param {
	p := &c.patch
	return []param{
		memoryID(&c.id),
		{name: "topic", kind: orNil(&p.Topic, text), about: "new headline"},
		{name: "content", kind: orNil(&p.Content, text), about: "new text in the place of all of the old one"},
		{name: "append", kind: orNil(&p.Append, text), about: "instead of content: text to add at the end, markdown"},
		{name: "summary", kind: orNil(&p.Summary, text), about: "new summary; empty: first paragraph"},
		{name: "tags", kind: orNil(&p.Tags, texts), about: "instead of all old ones"},
		{name: "add_tags", kind: someTexts(&p.AddTags), about: "instead of tags: to add"},
		{name: "remove_tags", kind: someTexts(&p.RemoveTags), about: "instead of tags: to take away"},
		{name: "importance", kind: importance(&p.Importance), about: "how long it lasts"},
		{name: "difficulty", kind: orNil(&p.Difficulty, share), about: "of what it took to learn this"},
		{name: "redact", kind: flag(&p.Redact), about: "mask credentials instead of refusing"},
	}
}
