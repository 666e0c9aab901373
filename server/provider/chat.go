package provider

import (
	"context"
	"strings"

	"ltm/text/safe"
)

// Limits of a chat.
const (
	maxMessages     = 200
	maxBlocks       = 50
	labelCharacters = 100
	blockCharacters = 8_000
	maxChatBytes    = 512 << 10
	chatTokens      = 600
	maxChatTokens   = 8192
	lively          = 0.6 // the temperature of a talk
)

// Block is stored text that a reply may use.
type Block struct {
	Label string // what it is, such as "Summary of the conversation"
	Text  string
}

// Chat is a request for a reply.
type Chat struct {
	Instructions string  // of the application, "" for none
	Memory       []Block // fenced as data before the last message
	Messages     []Turn  // oldest first; the last is the user's
	MaxTokens    int     // of the reply: 600 if 0, at most 8192
}

// Reply is a model's reply.
type Reply struct {
	Text      string
	Model     string // that was asked
	Answered  string // the model that the endpoint says answered, or ""
	Truncated bool   // the limit of tokens ended it
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
	most := chat.MaxTokens
	if most == 0 {
		most = chatTokens
	}
	out, err := c.complete(ctx, app, textRequest{messages: messages, temperature: lively, most: most, stream: in})
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: out.text, Model: c.o.Model, Answered: out.answered, Truncated: out.truncated}, nil
}

// check returns a [BadInput] for a request that is not sent.
func (chat Chat) check() error {
	size := len(chat.Instructions)
	for _, m := range chat.Messages {
		size += len(m.Text)
	}
	for _, b := range chat.Memory {
		size += len(b.Label) + len(b.Text)
	}
	n := len(chat.Messages)
	switch {
	case n == 0 || n > maxMessages:
		return newError(BadInput, "a chat has 1 to %d messages, not %d", maxMessages, n)
	case !chat.Messages[n-1].User || strings.TrimSpace(chat.Messages[n-1].Text) == "":
		return newError(BadInput, "the last message must be the user's, and not blank")
	case len(chat.Memory) > maxBlocks:
		return newError(BadInput, "a chat has at most %d blocks of memory, not %d", maxBlocks, len(chat.Memory))
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
	rules := c.said(strings.TrimSpace(chat.Instructions))
	memory, err := c.memory(chat.Memory)
	if err != nil {
		return nil, err
	}
	if memory != "" {
		rules = strings.TrimSpace(rules + "\n\n" + dataRule + " Use them only where they help to answer.")
	}
	if rules != "" {
		out = append(out, message{system, rules})
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

// memory returns blocks as data, "" if there are none.
func (c *Client) memory(blocks []Block) (string, error) {
	var b strings.Builder
	for _, block := range blocks {
		text, err := c.stored(block.Text, blockCharacters)
		if err != nil {
			return "", err
		}
		if text == "" {
			continue
		}
		label := safe.ClipLine(strings.TrimLeft(c.said(block.Label), "> "), labelCharacters)
		b.WriteString("Data: " + label + "\n" + text + "\n\n")
	}
	return b.String(), nil
}
