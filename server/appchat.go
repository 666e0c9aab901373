package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// How many of the newest messages a model gets, as in the reference implementation.
const (
	defaultRecent = 30
	maxRecent     = 200
)

func (s *Server) registerChat() {
	handle(s, route{Pattern: "POST /v1/threads/{t}/memory-context", ID: "memory-context", Tag: "retrieval",
		Access: apps, MaxBody: bodyQuery, Body: contextBody{}, Errors: []kind{kindNotFound},
		Summary: "Return the messages that a model needs for a text that the user is about to say"}, s.memoryContext)
	handleWhole(s, route{Pattern: "POST /v1/threads/{t}/chat", ID: "chat", Tag: "retrieval", Access: apps, OwnKey: true,
		MaxBody: bodyEvent, Time: chatTime, Body: chatBody{}, Media: []string{"text/plain", "text/event-stream"},
		Errors:  []kind{kindNotFound, kindTaken, kindModel, kindUpstream},
		Summary: "Say something, and get the reply of a model, both of which are kept",
		Text: "The reply is text/plain; X-User-Event-Id and X-Assistant-Event-Id name both events. With Accept: " +
			"text/event-stream it comes in pieces: messages with a text, then an event done with both ids, or an " +
			"event error with a problem. A request with the Idempotency-Key of an earlier one goes on where that one " +
			"stopped."}, s.chat)
}

type contextBody struct {
	likeBody
	Text   *string     `json:"latest_user_text" nullable:"false"`
	Recent wholeNumber `json:"short_term_limit,omitempty" doc:"How many of the newest messages come along, 1 to 200. Default: 30."`
}

type contextAnswer struct {
	Thread   string         `json:"thread_id"`
	Messages []messageEntry `json:"messages" nullable:"false"`
}

type messageEntry struct {
	Role    string `json:"role" enum:"system,user,assistant"`
	Content string `json:"content"`
}

func (s *Server) memoryContext(ctx context.Context, c *call, in *threadInput) (*contextAnswer, error) {
	var body contextBody
	who, id, err := s.onThreadLike(ctx, c, *in, &body)
	if err != nil {
		return nil, err
	}
	if body.Text == nil {
		return nil, invalid("latest_user_text is missing")
	}
	recent, err := body.Recent.within("short_term_limit", 1, maxRecent, defaultRecent)
	if err != nil {
		return nil, err
	}
	messages, err := s.opts.Memory.MemoryContext(ctx, who, id, *body.Text, recent)
	out := contextAnswer{Thread: id, Messages: []messageEntry{}}
	for _, m := range messages {
		out.Messages = append(out.Messages, messageEntry(m))
	}
	return &out, err
}

type chatBody struct {
	likeBody
	Text   *string     `json:"text" minLength:"1" maxLength:"6000" nullable:"false"`
	Recent wholeNumber `json:"short_term_limit,omitempty" doc:"How many of the newest messages the model gets, 1 to 200. Default: 30."`
}

func (s *Server) chat(ctx context.Context, c *call, in *threadInput) (*huma.StreamResponse, error) {
	var body chatBody
	who, id, err := s.onThreadLike(ctx, c, *in, &body)
	if err != nil {
		return nil, err
	}
	if body.Text == nil {
		return nil, invalid("text is missing")
	}
	if err := checkLength("text", *body.Text, 1, maxContent); err != nil {
		return nil, err
	}
	if strings.TrimSpace(*body.Text) == "" {
		return nil, problem(kindRequest, "the text is blank; nothing was changed")
	}
	recent, err := body.Recent.within("short_term_limit", 1, maxRecent, defaultRecent)
	if err != nil {
		return nil, err
	}
	var reply bytes.Buffer
	stream := events{w: c.out}
	say := func(piece string) error {
		if c.stream {
			return stream.send("", map[string]string{"text": piece})
		}
		reply.WriteString(piece)
		return ctx.Err()
	}
	user, assistant, err := s.opts.Memory.Chat(ctx, who, id, *body.Text, c.key, recent, say)
	switch {
	case err != nil && stream.began:
		_ = stream.send("error", c.failed(err)) // the client is gone
	case err != nil:
		return nil, err
	case c.stream:
		_ = stream.send("done", map[string]string{"user_event_id": user, "assistant_event_id": assistant})
	default:
		h := c.out.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("X-User-Event-Id", user)
		h.Set("X-Assistant-Event-Id", assistant)
		_, _ = c.out.Write(reply.Bytes())
	}
	return answered(), nil
}

// answered is the answer of a handler that has written its own.
func answered() *huma.StreamResponse { return &huma.StreamResponse{Body: func(huma.Context) {}} }

// events writes server-sent events.
type events struct {
	w     *response
	began bool
}

// send writes an event; the name of one without a name is "message".
func (e *events) send(name string, data any) error {
	if !e.began {
		e.began = true
		h := e.w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("X-Accel-Buffering", "no") // a proxy would wait for the end
		e.w.WriteHeader(http.StatusOK)
	}
	var b bytes.Buffer
	if name != "" {
		b.WriteString("event: " + name + "\n")
	}
	b.WriteString("data: ")
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(data); err != nil {
		return err
	}
	b.WriteString("\n") // the line has an end of its own
	if _, err := e.w.Write(b.Bytes()); err != nil {
		return err
	}
	return http.NewResponseController(e.w).Flush()
}
