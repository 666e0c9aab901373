package provider

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode"
)

// maxPart is the most bytes of one part of a reply that comes in parts.
const maxPart = 256 << 10

// ChatStream is [Client.Chat], and calls out with the pieces of the reply as they come, which make up its text. A model
// that replies at once, or whose endpoint knows no other way, gives one piece.
//
// AttemptTime is how long each part of a reply may take, and CallTime the whole. No attempt follows one of which out
// has got a piece: a reply that breaks off is an error, and there is no part of it in what is returned. An error of out
// ends the reply, and is returned as it is.
func (c *Client) ChatStream(ctx context.Context, app string, chat Chat, out func(piece string) error) (Reply, error) {
	return c.chat(ctx, app, chat, &stream{out: out})
}

// stream reads a reply as it comes. It has one goroutine.
type stream struct {
	out     func(piece string) error
	passed  bool  // out has got something
	refused error // by out

	sieve  sieve
	text   strings.Builder
	used   tokens
	finish string
}

// isStream reports whether an answer comes in parts.
func isStream(res *http.Response) bool {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return err == nil && kind == "text/event-stream"
}

// again forgets an attempt of which out has got nothing.
func (s *stream) again() { *s = stream{out: s.out} }

// read reads an answer of server-sent events to its end. more is called after each part: the next may take as long. The
// second error is the connection's.
func (s *stream) read(c *Client, body io.Reader, more func()) (*Error, error) {
	limited := &io.LimitedReader{R: body, N: maxAnswer}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxPart)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if !ok {
			continue // a comment, the blank line after an event, or a field that means nothing here
		}
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			return s.end(), nil
		}
		if err := s.part(c, data); err != nil {
			return err, nil
		}
		more()
	}
	switch err := lines.Err(); {
	case limited.N <= 0:
		return newError(TooLarge, "the answer is larger than %d bytes", maxAnswer), nil
	case errors.Is(err, bufio.ErrTooLong):
		return newError(TooLarge, "a part of the answer is larger than %d bytes", maxPart), nil
	case err != nil:
		return nil, err
	case s.finish == "":
		return newError(Unreachable, "the reply broke off before its end"), nil
	}
	return s.end(), nil
}

// part reads a part of a reply.
func (s *stream) part(c *Client, data []byte) *Error {
	if failure, ok := errorIn(data); ok {
		return c.reported(failure)
	}
	var chunk struct {
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"delta"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage *tokens `json:"usage"`
	}
	if err := json.Unmarshal(data, &chunk); err != nil {
		return newError(BadAnswer, "the answer is not a reply of a model")
	}
	if chunk.Usage != nil {
		s.used = *chunk.Usage
	}
	if len(chunk.Choices) == 0 {
		return nil
	}
	first := chunk.Choices[0]
	if first.Finish != "" {
		s.finish = first.Finish
	}
	if first.Delta.Refusal != "" || first.Finish == "content_filter" {
		return newError(Refused, "the model does not answer this request")
	}
	return s.say(s.sieve.pass(first.Delta.Content))
}

// say passes a piece on.
func (s *stream) say(piece string) *Error {
	if piece == "" {
		return nil
	}
	if s.text.Len()+len(piece) > maxReply {
		return newError(TooLarge, "the reply is longer than %d bytes", maxReply)
	}
	s.text.WriteString(piece)
	s.passed = true
	if err := s.out(piece); err != nil {
		s.refused = err
		return &Error{Kind: Canceled, Message: "the reply was not taken", cause: err}
	}
	return nil
}

// end checks a whole reply.
func (s *stream) end() *Error {
	if err := s.say(s.sieve.end()); err != nil {
		return err
	}
	if s.text.Len() == 0 {
		return newError(BadAnswer, "the reply has no text")
	}
	return nil
}

// sieve lets a text through in pieces: without the thoughts that some local models begin with, without white space at
// its ends, and without zeros, which Postgres does not store. Thoughts without an end are all there is.
type sieve struct {
	held     []byte // what is not let through yet
	thinking bool
	thought  bool // the thoughts are over
	begun    bool // there was something else
}

// What thoughts are within.
const (
	thoughtsBegin = "<think>"
	thoughtsEnd   = "</think>"
)

// pass returns what may be let through after one more piece.
func (s *sieve) pass(piece string) string {
	s.held = append(s.held, strings.ReplaceAll(piece, "\x00", "")...)
	if !s.begun && !s.begin() {
		return ""
	}
	text := string(bytes.TrimRightFunc(s.held, unicode.IsSpace))
	s.held = s.held[len(text):]
	return text
}

// begin takes off what a text may not begin with, and reports whether it has begun.
func (s *sieve) begin() bool {
	if !s.thinking && !s.thought {
		s.held = bytes.TrimLeftFunc(s.held, unicode.IsSpace)
		if len(s.held) < len(thoughtsBegin) && strings.HasPrefix(thoughtsBegin, string(s.held)) {
			return false
		}
		s.held, s.thinking = bytes.CutPrefix(s.held, []byte(thoughtsBegin))
	}
	if s.thinking {
		_, rest, ended := bytes.Cut(s.held, []byte(thoughtsEnd))
		if !ended {
			s.held = s.held[max(0, len(s.held)-len(thoughtsEnd)):] // which may have the beginning of the end
			return false
		}
		s.held, s.thinking, s.thought = rest, false, true
	}
	s.held = bytes.TrimLeftFunc(s.held, unicode.IsSpace)
	s.begun = len(s.held) > 0
	return s.begun
}

// end returns what is left at the end of a text.
func (s *sieve) end() string {
	if s.begun || s.thinking {
		return "" // white space, or thoughts without an end
	}
	return string(bytes.TrimSpace(s.held))
}
