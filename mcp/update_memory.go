package mcp

import (
	"context"

	"ltm/memory/api"
)

// change is an update of one memory.
type change struct {
	id    string
	patch api.Patch
}

func updateMemory(e Engine, session string) boundTool {
	s := spec{
		name: "update_memory", destructive: true,
		description: "Correct or extend a memory. content replaces the whole " +
			"text, append adds to it; replaced text is archived. New text makes a fading memory whole.",
	}
	run := func(ctx context.Context, c change) (api.Receipt, error) {
		c.patch.Session, c.patch.Follow = session, c.patch.Verified
		return e.Update(ctx, c.id, c.patch)
	}
	return bind(s, updateParams, run, receiptText)
}

func updateParams(c *change) []param {
	p := &c.patch
	return []param{
		memoryID(&c.id),
		{name: "topic", kind: orNil(&p.Topic, text), about: "new headline"},
		{name: "content", kind: orNil(&p.Content, text), about: "replaces the text"},
		{name: "append", kind: orNil(&p.Append, text), about: "instead of content: to add at the end"},
		{name: "summary", kind: orNil(&p.Summary, text), about: "empty: the first paragraph"},
		{name: "tags", kind: orNil(&p.Tags, texts), about: "replace the old"},
		{name: "add_tags", kind: someTexts(&p.AddTags), about: "instead of tags: to add"},
		{name: "remove_tags", kind: someTexts(&p.RemoveTags), about: "instead of tags: to remove"},
		{name: "aliases", kind: orNil(&p.Aliases, texts), about: "replace the old"},
		{name: "importance", kind: importance(&p.Importance), about: "how long it lasts"},
		{name: "kind", kind: orNil(&p.Category, anyCategory), about: "empty: none"},
		{name: "confidence", kind: orNil(&p.Confidence, share), about: "0 to 1"},
		{name: "supersedes", kind: ids(&p.Supersedes), about: "ids"},
		{name: "disputes", kind: ids(&p.Disputes), about: "ids"},
		{name: "related", kind: ids(&p.Related), about: "ids"},
		{name: "refs", kind: orNil(&p.Refs, texts), about: "replace the old"},
		{name: "verified", kind: flag(&p.Verified), about: "it still holds"},
		{name: "unlink", kind: ids(&p.Unlink), about: "ids to drop"},
		{name: "difficulty", kind: orNil(&p.Difficulty, share), about: "how hard to learn"},
		{name: "redact", kind: flag(&p.Redact), about: "mask credentials"},
	}
}
