package threads

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"ltm/server/conversation"
	"ltm/server/provider"
)

const (
	// A chat's events have keys of their own, so that they are not those of events that a client added.
	chatKey  = "chat "
	replyKey = "reply "

	// maxChatKey leaves room for these in the key of an event.
	maxChatKey = maxName - len(replyKey)

	// chatTokens bounds the messages that a model is sent, memory aside: small models take about 16,000 tokens, of
	// which memory and the reply take some.
	chatTokens = 12_000

	// chatMessages is how many a model's client sends.
	chatMessages = 200
)

// Streamer is a [Chatter] that gives a reply in pieces. out may end the reply by an error.
type Streamer interface {
	Chatter
	ChatStream(ctx context.Context, app string, chat provider.Chat, out func(piece string) error) (provider.Reply,
		error)
}

// Chat stores what a user says, asks a model for the reply with what the memory says to it, stores that as well, and
// calls out with it: in pieces if the model is a [Streamer]. It returns the ids of both events.
//
// Without a model nothing is stored. If the model fails, what the user said stays, and saying it again goes on from
// there instead of storing it twice. With the key of an earlier call, which may be empty, that call's reply is returned
// if there is one; with another text it is [ErrTaken]. [ErrNotFound], [ErrInvalid], [ErrNoModel], [ErrUpstream].
func (s *Service) Chat(ctx context.Context, c Caller, thread, text, key string, recent int,
	out func(piece string) error) (user, assistant string, err error) {
	if err := checkLine("the key", key, maxChatKey); err != nil {
		return "", "", err
	}
	if err := checkNew(NewEvent{Role: conversation.User, Text: text}, s.now()); err != nil {
		return "", "", err
	}
	if s.o.Models.Chat == nil {
		return "", "", Refuse(ErrNoModel, "no model for chat is configured; nothing was stored")
	}
	var reply Event
	said, err := inThread(ctx, s, c, thread, func(v View, t Thread) (said Event, err error) {
		thread = t.ID
		said, reply, err = begun(v, t.ID, text, key)
		return said, err
	})
	if err != nil {
		return "", "", err
	}
	if reply.ID != "" {
		return said.ID, reply.ID, out(reply.Text)
	}
	messages, err := s.MemoryContext(ctx, c, thread, text, recent) // before the text is among the events
	if err != nil {
		return "", "", err
	}
	if said.ID == "" {
		if said, err = s.hear(ctx, c, thread, text, key); err != nil {
			return "", "", err
		}
	}
	answer, sent, err := s.reply(ctx, c.App, chatOf(messages, text), out)
	if err != nil {
		return said.ID, "", err
	}
	reply, err = s.keepReply(context.WithoutCancel(ctx), c, said, answer)
	if err == nil && !sent {
		err = out(reply.Text)
	}
	return said.ID, reply.ID, err
}

// keepReply stores a reply. If another call with the same key was faster, its reply counts.
func (s *Service) keepReply(ctx context.Context, c Caller, said Event, text string) (Event, error) {
	reply, err := s.addOne(ctx, c, said.Thread, NewEvent{Role: conversation.Assistant, Text: text, Key: replyTo(said)})
	if !errors.Is(err, ErrTaken) {
		return reply, err
	}
	return inThread(ctx, s, c, said.Thread, func(v View, t Thread) (Event, error) {
		return v.EventByKey(t.ID, replyTo(said))
	})
}

// begun returns what an earlier call has stored: what the user said and the reply, as far as it got. A call without a
// key, or with a new one, goes on with the last event of the thread, if that is the same text and was said to Chat:
// a client that lost an answer may repeat the text with a key or without.
func begun(v View, thread, text, key string) (said, reply Event, err error) {
	if key != "" {
		said, err = v.EventByKey(thread, chatKey+key)
		switch {
		case err == nil && said.Text != text:
			return said, reply, Refuse(ErrTaken, "another text was sent with this key; nothing was changed")
		case err != nil && !errors.Is(err, ErrNotFound):
			return said, reply, err
		}
	}
	if key == "" || err != nil {
		said = Event{}
		last, err := v.Events(EventQuery{Thread: thread, Newest: true, Limit: 1})
		if err != nil || len(last) == 0 || !strings.HasPrefix(last[0].Key, chatKey) || last[0].Text != text {
			return said, reply, err
		}
		said = last[0]
	}
	reply, err = v.EventByKey(thread, replyTo(said))
	if errors.Is(err, ErrNotFound) {
		return said, Event{}, nil
	}
	return said, reply, err
}

// replyTo is the key of the reply to what was said to Chat.
func replyTo(said Event) string { return replyKey + strings.TrimPrefix(said.Key, chatKey) }

// hear stores what a user says.
func (s *Service) hear(ctx context.Context, c Caller, thread, text, key string) (Event, error) {
	id, err := s.newID()
	if err != nil {
		return Event{}, err
	}
	return s.addOne(ctx, c, thread, NewEvent{ID: id, Role: conversation.User, Text: text,
		Key: chatKey + cmp.Or(key, id)})
}

// addOne adds one event.
func (s *Service) addOne(ctx context.Context, c Caller, thread string, n NewEvent) (Event, error) {
	added, err := s.AddEvents(ctx, c, thread, []NewEvent{n})
	if err != nil {
		return Event{}, err
	}
	return added[0].Event, added[0].Err
}

// reply asks the model, and reports whether out has got the reply already.
func (s *Service) reply(ctx context.Context, app string, chat provider.Chat, out func(string) error) (text string,
	sent bool, err error) {
	var got provider.Reply
	if streamer, ok := s.o.Models.Chat.(Streamer); ok {
		got, err = streamer.ChatStream(ctx, app, chat, func(piece string) error {
			sent = true
			return out(piece)
		})
	} else {
		got, err = s.o.Models.Chat.Chat(ctx, app, chat)
	}
	s.asking.count("chat", err)
	text = strings.ReplaceAll(strings.ToValidUTF8(got.Text, "\uFFFD"), "\x00", "")
	text = firstBytes(text, MaxText)
	switch {
	case provider.KindOf(err) == provider.UsedUp:
		return "", sent, &Error{Reason: ErrNoModel, Text: err.Error(), Cause: err}
	case provider.KindOf(err) != "":
		return "", sent, &Error{Reason: ErrUpstream, Text: err.Error(), Cause: err}
	case err != nil:
		return "", sent, err
	case strings.TrimSpace(text) == "":
		return "", sent, Refuse(ErrUpstream, "the model gave no reply")
	}
	return text, sent, nil
}

// chatOf returns what a model is sent: the memory as data, the newest messages that fit, and what the user says. Memory
// is there however long the conversation is.
func chatOf(messages []Message, text string) provider.Chat {
	var chat provider.Chat
	room := chatTokens - conversation.Tokens(text)
	if n := len(messages); n > 0 && messages[n-1].Role == string(conversation.User) && messages[n-1].Content == text {
		messages = messages[:n-1] // what the user says was stored before, by a call that got no reply
	}
	chat.Messages = []provider.Turn{{User: true, Text: text}}
	full := false
	for _, m := range slices.Backward(messages) {
		role := conversation.Role(m.Role)
		switch {
		case m.Role == "system":
			chat.Memory = strings.TrimSpace(m.Content + "\n" + chat.Memory)
		case role != conversation.User && role != conversation.Assistant, strings.TrimSpace(m.Content) == "":
		default:
			room -= conversation.Tokens(m.Content)
			if full = full || room < 0 || len(chat.Messages) == chatMessages; !full {
				chat.Messages = append(chat.Messages, provider.Turn{User: role == conversation.User, Text: m.Content})
			}
		}
	}
	slices.Reverse(chat.Messages)
	return chat
}
