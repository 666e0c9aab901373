package mcp

import (
	"context"

	"ltm/api"
)

func storeMemory(e Engine, session string) boundTool {
	s := spec{
		name: "store_memory", always: true,
		description: "Keep something for later sessions: the cause of a hard bug and its fix, a decision and why, an approach that failed, " +
			"a convention. Say the conclusion first, then what a stranger needs: files, commands, error text. One thing per memory; no secrets.",
		input: `{"type":"object","properties":{` +
			`"topic":{"type":"string","description":"specific headline, one line, up to 200 characters"},` +
			`"content":{"type":"string","description":"markdown; conclusion first, key points as a list"},` +
			`"summary":{"type":"string","description":"what it is about; default: first paragraph"},` +
			`"tags":{"type":"array","items":{"type":"string"},"description":"up to 20"},` +
			`"importance":{"type":"string","enum":["critical","important","normal","low"],"description":"how long it lasts; default normal"},` +
			`"auto_tag":{"type":"boolean","description":"add tags found in the text"},` +
			`"difficulty":{"type":"number","minimum":0,"maximum":1,"description":"default: judged from this session's work"},` +
			`"redact":{"type":"boolean","description":"mask credentials instead of refusing"}},"required":["topic","content"]}`,
		output: receiptSchema,
	}
	decode := func(p *params) api.Draft {
		d := api.Draft{Topic: p.text("topic"), Content: p.text("content"), Summary: p.textOr("summary"), Session: session}
		if tags := p.words("tags"); tags != nil {
			d.Tags = *tags
		}
		d.Importance = p.level("importance")
		d.AutoTag = p.flag("auto_tag", false)
		d.Difficulty = p.share("difficulty")
		d.Redact = p.flag("redact", false)
		return d
	}
	run := func(ctx context.Context, d api.Draft) (api.Receipt, error) { return e.Remember(ctx, d) }
	return bind(s, decode, run, receiptText)
}

// receiptSchema is the output of what stores, updates and restores.
const receiptSchema = `{"type":"object","properties":{"success":{"type":"boolean"},"id":{"type":"string"},"message":{"type":"string"},` +
	`"difficulty":{"type":"number"},"tags":{"type":"array","items":{"type":"string"}}},"required":["success","id","message"]}`

func receiptText(r api.Receipt) string { return r.Message }
