package mcp

import (
	"context"

	"ltm/memory/api"
)

func storeMemory(e Engine, session string) boundTool {
	s := spec{
		name: "store_memory", always: true,
		description: "Store something for later sessions: the cause and fix of a hard bug, a decision and its " +
			"reason, an approach that failed, a convention. One thing per memory; no secrets. Give two or three " +
			"aliases: questions or names, in other words, that it answers.",
		output: `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`,
		prints: "id",
	}
	run := func(ctx context.Context, d api.Draft) (api.Receipt, error) {
		d.Session, d.Client = sessionOf(ctx, session), clientOf(ctx)
		return e.Remember(ctx, d)
	}
	return bind(s, storeParams, run, receiptText)
}

func receiptText(r api.Receipt) string { return r.Message.String() }
