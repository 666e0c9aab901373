package server

import (
	"context"
	"slices"
	"strings"

	"ltm/server/conversation"
	"ltm/server/threads"
)

type listEffectsAnswer struct {
	Event   string        `json:"event_id"`
	Effects []effectEntry `json:"effects" nullable:"false"`
}

type effectEntry struct {
	Kind     string `json:"kind" doc:"suggest, extract, summarize or embed."`
	State    string `json:"state" enum:"pending,done,skipped,failed"`
	Reason   string `json:"reason,omitempty" doc:"Why it was skipped, has failed, or is to be tried again."`
	Attempts int    `json:"attempts"`
	Since    string `json:"since" format:"date-time"`
	DoneAt   string `json:"done_at,omitempty" format:"date-time"`
}

func (s *Server) listEffects(ctx context.Context, c *call, in *eventInput) (*listEffectsAnswer, error) {
	who, thread, event, err := s.onEvent(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	found, err := s.opts.Memory.Effects(ctx, who, thread, event)
	if err != nil {
		return nil, noSuch(err, "event")
	}
	out := listEffectsAnswer{Event: event, Effects: []effectEntry{}}
	for _, e := range found {
		out.Effects = append(out.Effects, effectEntry{string(e.Kind), string(e.State), e.Reason, e.Attempts,
			shownTime(e.Since), shownTime(e.DoneAt)})
	}
	return &out, nil
}

type reactionBody struct {
	likeBody
	Reaction *string `json:"reaction" doc:"thumbs_up, heart, angry, sad or brain; null takes it off."`
}

type reactAnswer struct {
	Thread   string  `json:"thread_id"`
	Event    string  `json:"event_id"`
	Reaction *string `json:"reaction"`
	Updated  bool    `json:"summary_updated"`
	OK       bool    `json:"ok"`
}

func (s *Server) react(ctx context.Context, c *call, in *eventInput) (*reactAnswer, error) {
	in.Event = strings.TrimPrefix(in.Event, "assistant-") // as clients of the reference implementation name them
	event, ok := uuid(in.Event)
	if !ok {
		return nil, noEvent()
	}
	var body reactionBody
	who, thread, err := s.onThreadLike(ctx, c, threadInput{in.Thread, in.User}, &body)
	if err != nil {
		return nil, err
	}
	name := ""
	if body.Reaction != nil {
		if name = *body.Reaction; !slices.Contains(threads.ReactionNames(), name) {
			return nil, invalid("reaction must be null or one of %s", joined(threads.ReactionNames()))
		}
	}
	e, err := s.opts.Memory.Event(ctx, who, thread, event)
	if err != nil {
		return nil, noSuch(err, "event")
	}
	if e.Role != conversation.Assistant {
		return nil, problem(kindRequest, "only events of the assistant can have a reaction; nothing was changed")
	}
	var out reactAnswer
	if out.Updated, err = s.opts.Memory.React(ctx, who, thread, event, name); err != nil {
		return nil, noSuch(err, "event")
	}
	out.Thread, out.Event, out.Reaction, out.OK = thread, event, body.Reaction, true
	return &out, nil
}

// kindsAsked reads which kinds of rows a search is for.
func kindsAsked(names []string, more ...threads.Kind) (kinds []threads.Kind, err error) {
	known := append([]threads.Kind{threads.KindEvent, threads.KindSummary, threads.KindClaim}, more...)
	for _, name := range names {
		kind := threads.Kind(name)
		if !slices.Contains(known, kind) {
			return nil, invalid("kinds must be of %s", joined(known))
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}
