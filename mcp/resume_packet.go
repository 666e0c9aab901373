package mcp

import (
	"context"

	"ltm/memory/api"
)

func resumePacket(p Packets, session string) boundTool {
	s := spec{
		name: "resume_packet", readOnly: true, idempotent: true,
		description: "Go on with unfinished work: where it stands and what changed since.",
		prints:      "id text",
	}
	params := func(id *string) []param {
		return []param{{name: "id", also: "packet_id", kind: text(id), about: "default: the newest of this branch"}}
	}
	run := func(ctx context.Context, id string) (resumed, error) {
		r, err := p.Resume(ctx, api.ResumePacket{ID: id, Session: sessionOf(ctx, session)})
		return resumed{r.ID, fenced(r.Text)}, err
	}
	return bind(s, params, run, func(r resumed) string { return string(r.Text) })
}

// resumed is an answer without what its text says too.
type resumed struct {
	ID   string `json:"id"`
	Text fenced `json:"text"`
}
