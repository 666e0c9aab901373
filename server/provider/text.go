package provider

import (
	"context"
	"encoding/json"
)

// maxReply is how many bytes of text an answer may have: several times what its tokens make.
const maxReply = 64 << 10

// message is one message of a request for text.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// The roles of messages.
const (
	system    = "system"
	user      = "user"
	assistant = "assistant"
)

// textRequest is a request for text.
type textRequest struct {
	messages    []message
	temperature float64
	most        int     // tokens of the answer
	stream      *stream // reads the answer as it comes, unless it is nil
}

// complete asks for text. What the limit of tokens ended ends early.
func (c *Client) complete(ctx context.Context, app string, a textRequest) (string, error) {
	type inStream struct {
		Usage bool `json:"include_usage"`
	}
	asked := struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature *float64  `json:"temperature,omitempty"`
		Tokens      int       `json:"max_tokens,omitempty"`
		AllTokens   int       `json:"max_completion_tokens,omitempty"`
		Stream      bool      `json:"stream"`
		InStream    *inStream `json:"stream_options,omitempty"`
	}{Model: c.o.Model, Messages: a.messages, Stream: a.stream != nil}
	if c.o.Reasoning {
		asked.AllTokens = a.most
	} else {
		asked.Tokens, asked.Temperature = a.most, &a.temperature
	}
	if a.stream != nil {
		asked.InStream = &inStream{Usage: true}
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return "", newError(BadInput, "the texts cannot be encoded")
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.CallTime)
	defer cancel()
	var out string
	err = c.call(ctx, request{app: app, route: []string{"chat", "completions"}, body: body, maxAnswer: maxAnswer,
		maxOutput: int64(a.most), stream: a.stream, read: func(body []byte) (used tokens, err *Error) {
			out, used, err = parseReply(body)
			if err == nil && a.stream != nil {
				err = a.stream.say(out) // a reply that came at once
			}
			return used, err
		}})
	switch {
	case a.stream != nil && a.stream.refused != nil:
		return "", a.stream.refused
	case err != nil:
		return "", err
	case a.stream != nil:
		return a.stream.text.String(), nil
	}
	return out, nil
}

// parseReply reads an answer with text, which is not blank.
func parseReply(body []byte) (string, tokens, *Error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content *string `json:"content"`
				Refusal string  `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage tokens `json:"usage"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", tokens{}, newError(BadAnswer, "the answer is not a reply of a model")
	}
	if len(answer.Choices) == 0 {
		return "", answer.Usage, newError(BadAnswer, "the answer has no reply")
	}
	first := answer.Choices[0]
	if first.Message.Refusal != "" || first.Finish == "content_filter" {
		return "", answer.Usage, newError(Refused, "the model does not answer this request")
	}
	if first.Message.Content == nil {
		return "", answer.Usage, newError(BadAnswer, "the reply has no text")
	}
	var in sieve
	text := in.pass(*first.Message.Content) + in.end()
	switch {
	case text == "":
		return "", answer.Usage, newError(BadAnswer, "the reply has no text")
	case len(text) > maxReply:
		return "", answer.Usage, newError(TooLarge, "the reply is longer than %d bytes", maxReply)
	}
	return text, answer.Usage, nil
}
