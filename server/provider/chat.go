package provider

import (
	"cmp"
	"context"
	"strings"
)

// Limits of a chat.
const (
	maxMessages   = 200
	maxChatBytes  = 512 << 10
	chatTokens    = 600
	maxChatTokens = 8192
	lively        = 0.6 // the temperature of a talk
)

// Chat is a request for a reply.
type Chat struct {
	Memory    string // what is known of the user; fenced as data before the last message
	Messages  []Turn // oldest first; the last is the user's
	MaxTokens int    // of the reply: 600 if 0, at most 8192
}

// Reply is a model's reply.
type Reply struct {
	Text  string
	Model string // that was asked
}

// Chat returns a model's reply. Credentials in all texts are masked. Memory is in the message of the user and not in
// the system's, which models are trained to obey.
func (c *Client) Chat(ctx context.Context, app string, chat Chat) (Reply, error) {
	return c.chat(ctx, app, chat, nil)
}

// chat returns a reply, which comes in parts if there is a stream.
func (c *Client) chat(ctx context.Context, app string, chat Chat, in *stream) (Reply, error) {
	if err := checkApp(app); err != nil {
		return Reply{}, err
	}
	messages, err := c.chatMessages(chat)
	if err != nil {
		return Reply{}, err
	}
	text, err := c.complete(ctx, app, textRequest{messages: messages, temperature: lively,
		most: cmp.Or(chat.MaxTokens, chatTokens), stream: in})
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: text, Model: c.o.Model}, nil
}

// check returns a [BadInput] for a request that is not sent.
func (chat Chat) check() error {
	size := len(chat.Memory)
	for _, m := range chat.Messages {
		size += len(m.Text)
	}
	n := len(chat.Messages)
	switch {
	case n == 0 || n > maxMessages:
		return newError(BadInput, "a chat has 1 to %d messages, not %d", maxMessages, n)
	case !chat.Messages[n-1].User || strings.TrimSpace(chat.Messages[n-1].Text) == "":
		return newError(BadInput, "the last message must be the user's, and not blank")
	case chat.MaxTokens < 0 || chat.MaxTokens > maxChatTokens:
		return newError(BadInput, "a reply has 1 to %d tokens, not %d", maxChatTokens, chat.MaxTokens)
	case size > maxChatBytes:
		return newError(BadInput, "the texts are longer than %d bytes", maxChatBytes)
	}
	return nil
}

// chatMessages returns what is sent.
func (c *Client) chatMessages(chat Chat) ([]message, error) {
	if err := chat.check(); err != nil {
		return nil, err
	}
	var out []message
	memory, err := c.stored(chat.Memory, maxChatBytes)
	if err != nil {
		return nil, err
	}
	if memory != "" {
		memory = "Data: What is known about the user\n" + memory + "\n\n"
		out = append(out, message{system, dataRule + " Use them only where they help to answer."})
	}
	for i, turn := range chat.Messages {
		text := c.said(turn.Text)
		if i == len(chat.Messages)-1 {
			text = memory + text
		}
		role := assistant
		if turn.User {
			role = user
		}
		out = append(out, message{role, text})
	}
	return out, nil
}
