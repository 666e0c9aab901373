package mcp

import (
	"ltm/memory"
	"ltm/memory/api"
)

// The fields of a memory, as models give them to store_memory and to update_memory.

func storeParams(d *api.Draft) []param {
	return []param{
		{name: "topic", required: true, kind: text(&d.Topic), about: "specific headline, up to 200 characters"},
		{name: "content", required: true, kind: text(&d.Content),
			about: "Markdown; conclusion first, then files, commands, error text"},
		{name: "summary", kind: text(&d.Summary), about: "default: its first paragraph"},
		{name: "tags", kind: texts(&d.Tags), about: "up to 20 tags"},
		{name: "aliases", kind: texts(&d.Aliases), about: "as \"why do requests hang?\""},
		{name: "importance", kind: importance(&d.Importance), about: "how long it lasts; default normal"},
		{name: "kind", kind: oneOf(&d.Category, memory.ParseCategory, memory.Categories()...), about: "default none"},
		{name: "agent", kind: text(&d.Agent), about: "only for it"},
		{name: "confidence", kind: orNil(&d.Confidence, share), about: "default 1; below 0.7 is unsure"},
		{name: "supersedes", kind: ids(&d.Supersedes), about: "ids it corrects; archived"},
		{name: "disputes", kind: ids(&d.Disputes), about: "ids it contradicts"},
		{name: "related", kind: ids(&d.Related), about: "ids"},
		{name: "refs", kind: someTexts(&d.Refs), about: "more files, as a.go:9"},
		{name: "scope", kind: scope(&d.Scope, api.ScopeProject, api.ScopeUser),
			about: "user: for this person in every project"},
		{name: "auto_tag", kind: flag(&d.AutoTag), about: "add tags found in the text"},
		{name: "difficulty", kind: orNil(&d.Difficulty, share), about: "how hard; default: judged by the work"},
		{name: "redact", kind: flag(&d.Redact), about: "mask credentials"},
	}
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
