package mcp

import (
	"context"

	"ltm/memory"
	"ltm/memory/api"
)

func storeMemory(e Engine, session string) boundTool {
	s := spec{
		name: "store_memory", always: true,
		description: "Store something for later sessions: the cause and fix of a hard bug, a decision and its " +
			"reason, an approach that failed, a convention. One thing per memory; no secrets. Give two or three " +
			"aliases: questions or names, in other words, that it answers.",
		output: `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`,
	}
	run := func(ctx context.Context, d api.Draft) (api.Receipt, error) {
		d.Session = session
		return e.Remember(ctx, d)
	}
	return bind(s, storeParams, run, receiptText)
}

func storeParams(d *api.Draft) []param {
	return []param{
		{name: "topic", required: true, kind: text(&d.Topic),
			about: "specific headline, up to 200 characters"},
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
		{name: "difficulty", kind: orNil(&d.Difficulty, share),
			about: "how hard; default: judged by the work"},
		{name: "redact", kind: flag(&d.Redact), about: "mask credentials"},
	}
}

func receiptText(r api.Receipt) string { return r.Message.String() }
