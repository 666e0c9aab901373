package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Question asks for what is known.
type Question struct {
	User      string    `json:"user_id,omitempty"` // may be left out with Thread or [Options.UserToken]
	Thread    string    `json:"thread_id,omitempty"`
	Query     string    `json:"query"`
	Kinds     []string  `json:"kinds,omitempty"` // of "event", "summary", "claim" and, of Retrieve, "memory"; none: all
	Filter    *Filter   `json:"filter,omitempty"`
	AsOf      time.Time `json:"as_of,omitzero"`      // as if it were then
	Limit     int       `json:"limit,omitempty"`     // of hits
	Budget    int       `json:"budget,omitempty"`    // of Retrieve: tokens of the whole context
	Threshold float64   `json:"threshold,omitempty"` // of Retrieve: the least score of a hit, 0 to 1
	Recent    int       `json:"recent,omitempty"`    // of Retrieve: how many of the thread's newest events come along
	Explain   bool      `json:"explain,omitempty"`   // of Retrieve: say why each block is there
}

// Filter is a condition. One of And, Or, Not and Field is set; with Field, one of the rest.
type Filter struct {
	And    []Filter `json:"and,omitempty"`
	Or     []Filter `json:"or,omitempty"`
	Not    *Filter  `json:"not,omitempty"`
	Field  string   `json:"field,omitempty"` // such as "role", or "meta.KEY" with a key that the application declares
	Eq     any      `json:"eq,omitempty"`
	In     []any    `json:"in,omitempty"`
	Range  *Range   `json:"range,omitempty"`
	Exists *bool    `json:"exists,omitempty"`
}

// Range is from a value, inclusive, to another, exclusive; nil is open.
type Range struct {
	From any `json:"from,omitempty"`
	To   any `json:"to,omitempty"`
}

// Hit is a row that answers a question.
type Hit struct {
	Kind       string    `json:"kind"`
	ID         string    `json:"id"`
	Thread     string    `json:"thread_id"`
	Role       string    `json:"role"`
	Text       string    `json:"text"`
	OccurredAt time.Time `json:"occurred_at"`
	Score      float64   `json:"score"` // 0 to 1
	Reasons    []string  `json:"reasons"`
}

// Search returns the rows that answer a question, the best first.
func (c *Client) Search(ctx context.Context, q Question) ([]Hit, error) {
	q.Budget, q.Threshold, q.Recent, q.Explain = 0, 0, 0, false // the route does not know them
	return field[[]Hit](ctx, c, call{method: http.MethodPost, path: path("search"), body: q}, "results")
}

// Context is the memory to show to a model before it answers.
type Context struct {
	Memory  string    `json:"memory"` // fenced as data; may be empty
	Recent  []Message `json:"recent"`
	Tokens  int       `json:"tokens"`
	Blocks  []Block   `json:"blocks"`
	LeftOut []Left    `json:"left_out"`
	Empty   string    `json:"empty"`  // why there is nothing, if there is nothing
	Notes   []string  `json:"notes"`  // what is missing, such as a store that is not there
	Stores  *Stores   `json:"stores"` // with [Question.Explain], if the application has stores of memories
}

// Stores counts what the application's stores of memories had, apart from the rest.
type Stores struct {
	Found  int `json:"found"`
	Shown  int `json:"shown"`
	Tokens int `json:"tokens"` // of those that are shown
}

// Message is a message as a model takes it.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Block is an item of a context.
type Block struct {
	Source  string   `json:"source"` // "claim", "summary", "hit", "background", "memory", "reaction" or "recent"
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Thread  string   `json:"thread_id"`
	Store   string   `json:"store"` // of a memory: the name of its store
	Topic   string   `json:"topic"` // of a memory
	Path    string   `json:"path"`  // of a memory: its file, within the store
	Text    string   `json:"text"`
	Score   float64  `json:"score"`
	Reasons []string `json:"reasons"` // with [Question.Explain]
	Against []struct {
		ID    string `json:"id"`
		Text  string `json:"text"`
		State string `json:"state"`
	} `json:"against"` // of a claim: those that contradict it
}

// Left is an item that was left out of a context.
type Left struct {
	Source string `json:"source"`
	ID     string `json:"id"`
	Store  string `json:"store"` // of a memory
	Reason string `json:"reason"`
}

// Retrieve returns a context for a question, within a budget.
func (c *Client) Retrieve(ctx context.Context, q Question) (Context, error) {
	var out Context
	err := c.do(ctx, call{method: http.MethodPost, path: path("retrieve"), body: q, into: &out})
	return out, err
}

// MemoryContext returns what a model is to be sent for a text that the user is about to say in a thread: memory, then
// the newest messages.
func (c *Client) MemoryContext(ctx context.Context, thread, text string, recent int) ([]Message, error) {
	body := map[string]any{"latest_user_text": text}
	if recent > 0 {
		body["short_term_limit"] = recent
	}
	return field[[]Message](ctx, c, call{method: http.MethodPost, path: path("threads", thread, "memory-context"),
		body: body}, "messages")
}

// Chat says something in a thread, and calls piece with each piece of the reply of the server's model as it arrives.
// Both are stored. It returns the ids of both events. The server must have a model for chats.
func (c *Client) Chat(ctx context.Context, thread, text string, piece func(string) error) (
	user, assistant string, err error) {
	const stream = accepts("text/event-stream")
	body, err := encode(map[string]string{"text": text})
	if err != nil {
		return "", "", err
	}
	resp, err := c.send(ctx, call{method: http.MethodPost, path: path("threads", thread, "chat"), once: newKey(),
		into: stream}, body)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = resp.Body.Close() }()
	return read(resp.Body, piece)
}

// maxLine is the longest line of a stream, in bytes.
const maxLine = 1 << 20

// read reads the events of a reply.
func read(r io.Reader, piece func(string) error) (user, assistant string, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	name := ""
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "":
			name = ""
		case "event":
			name = value
		case "data":
			var data struct {
				Text      string `json:"text"`
				User      string `json:"user_event_id"`
				Assistant string `json:"assistant_event_id"`
				Error
			}
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				return "", "", fmt.Errorf("the reply is not what it should be: %w", err)
			}
			switch name {
			case "done":
				return data.User, data.Assistant, nil
			case "error":
				data.Error.Status = http.StatusBadGateway
				return "", "", &data.Error
			case "":
				if err := piece(data.Text); err != nil {
					return "", "", err
				}
			}
		}
	}
	return "", "", errors.Join(lines.Err(), errors.New("the reply broke off"))
}
