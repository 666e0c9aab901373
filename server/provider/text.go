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

// reply is the text of an answer.
type reply struct {
	text      string
	answered  string // the model, as the endpoint says
	truncated bool   // the limit of tokens ended it
}

// textRequest is a request for text.
type textRequest struct {
	messages    []message
	temperature float64
	most        int     // tokens of the answer
	stream      *stream // reads the answer as it comes, unless it is nil
}

// complete asks for text.
func (c *Client) complete(ctx context.Context, app string, a textRequest) (reply, error) {
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
		return reply{}, newError(BadInput, "the texts cannot be encoded")
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.CallTime)
	defer cancel()
	var out reply
	err = c.call(ctx, request{app: app, route: []string{"chat", "completions"}, body: body, maxAnswer: maxAnswer,
		maxOutput: int64(a.most), stream: a.stream, read: func(body []byte) (used tokens, err *Error) {
			out, used, err = parseReply(body)
			if err == nil && a.stream != nil {
				err = a.stream.whole(out)
			}
			return used, err
		}})
	switch {
	case a.stream != nil && a.stream.refused != nil:
		return reply{}, a.stream.refused
	case err != nil:
		return reply{}, err
	case a.stream != nil:
		return a.stream.reply, nil
	}
	return out, nil
}

// parseReply reads an answer with text, which is not blank.
func parseReply(body []byte) (reply, tokens, *Error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content *string `json:"content"`
				Refusal string  `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Model string `json:"model"`
		Usage tokens `json:"usage"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return reply{}, tokens{}, newError(BadAnswer, "the answer is not a reply of a model")
	}
	if len(answer.Choices) == 0 {
		return reply{}, answer.Usage, newError(BadAnswer, "the answer has no reply")
	}
	first := answer.Choices[0]
	if first.Message.Refusal != "" || first.Finish == "content_filter" {
		return reply{}, answer.Usage, newError(Refused, "the model does not answer this request")
	}
	if first.Message.Content == nil {
		return reply{}, answer.Usage, newError(BadAnswer, "the reply has no text")
	}
	var in sieve
	text := in.pass(*first.Message.Content) + in.end()
	switch {
	case text == "":
		return reply{}, answer.Usage, newError(BadAnswer, "the reply has no text")
	case len(text) > maxReply:
		return reply{}, answer.Usage, newError(TooLarge, "the reply is longer than %d bytes", maxReply)
	}
	if len(answer.Model) > maxAnswerModel || !printable(answer.Model) {
		answer.Model = ""
	}
	return reply{text: text, answered: answer.Model, truncated: first.Finish == "length"}, answer.Usage, nil
}
