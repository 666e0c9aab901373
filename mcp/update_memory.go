package mcp

import (
	"context"

	"ltm/memory"
)

// change is an update of one memory.
type change struct {
	id    string
	patch memory.Patch
}

func updateMemory(e Engine, session string) boundTool {
	s := spec{
		name: "update_memory", destructive: true, idempotent: true, // what it replaces is gone
		description: "Correct or extend a memory. What is left out stays; tags replace the old ones; new content makes a faded memory full again.",
		input: `{"type":"object","properties":{"id":{"type":"string"},"topic":{"type":"string"},"content":{"type":"string"},` +
			`"tags":{"type":"array","items":{"type":"string"}},"difficulty":{"type":"number","minimum":0,"maximum":1},` +
			`"redact":{"type":"boolean"}},"required":["id"]}`,
		output: receiptSchema,
	}
	decode := func(p *params) change {
		return change{p.id(), memory.Patch{Topic: p.optionalText("topic"), Content: p.optionalText("content"), Tags: p.words("tags"),
			Difficulty: p.share("difficulty"), Redact: p.flag("redact", false), Session: session}}
	}
	run := func(ctx context.Context, c change) (memory.Receipt, error) { return e.Update(ctx, c.id, c.patch) }
	return bind(s, decode, run, receiptText)
}
