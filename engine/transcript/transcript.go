package transcript

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
)

// MaxLine is the length, in bytes, of the longest line that is read. Longer lines hold images or
// whole files and are skipped.
const MaxLine = 16 << 20

// Counts is the work of the session itself, or of its subagents.
type Counts struct {
	Calls        int `json:"calls"`         // tool calls
	Failures     int `json:"failures"`      // calls that failed, including invalid ones that did not run
	Refused      int `json:"refused"`       // calls that a person or a permission stopped: not failures
	Retries      int `json:"retries"`       // calls of a tool for a target with which it had just failed
	OutputTokens int `json:"output_tokens"` // tokens that the model wrote
	ResultChars  int `json:"result_chars"`  // characters of text that tools returned, at most [MaxResult] each
	Compactions  int `json:"compactions"`   // times that the conversation was summarized
}

func (c Counts) Add(d Counts) Counts {
	return Counts{
		Calls: c.Calls + d.Calls, Failures: c.Failures + d.Failures, Refused: c.Refused + d.Refused,
		Retries:      c.Retries + d.Retries,
		OutputTokens: c.OutputTokens + d.OutputTokens, ResultChars: c.ResultChars + d.ResultChars,
		Compactions: c.Compactions + d.Compactions,
	}
}

// Work holds the counts of one call of [Form.Read].
type Work struct {
	Main      Counts `json:"main"`
	Subagents Counts `json:"subagents"` // lines with isSidechain
	// lines that are not a JSON object, broken where it matters, or longer than MaxLine
	Unread int  `json:"unread"`
	More   bool `json:"-"` // limit or ctx ended the reading: there may be more to read
}

// Add returns the sum of w and d, the later reading; More is that of d.
func (w Work) Add(d Work) Work {
	return Work{Main: w.Main.Add(d.Main), Subagents: w.Subagents.Add(d.Subagents), Unread: w.Unread + d.Unread,
		More: d.More}
}

// State carries over from one reading of a file to the next. The zero State starts at the beginning. As JSON it takes
// less than 4 KB, usually less than 1.
//
// A State with only Offset and Skipping is valid too, for callers that lack room. It loses the
// calls that failed just before it, and counts again what the client repeats just after it.
type State struct {
	Offset   int64     `json:"offset"`             // bytes read: the start of the next line
	Skipping bool      `json:"skipping,omitempty"` // Offset is inside a line longer than MaxLine
	Open     []Call    `json:"open,omitempty"`     // calls without a result, oldest first
	Failed   []uint32  `json:"failed,omitempty"`   // latest targets that failed, oldest first
	Messages []Message `json:"messages,omitempty"` // the latest answers of the model
	Lines    []uint32  `json:"lines,omitempty"`    // the latest lines counted
}

// Call is a tool call without a result yet: hashes of its id and target.
type Call struct {
	ID     uint32 `json:"id"`
	Target uint32 `json:"target"`
}

// Message is an answer of the model: the hash of its id, and its tokens counted so far.
type Message struct {
	ID     uint32 `json:"id"`
	Tokens int    `json:"tokens"`
}

// The maximum lengths of the lists in a State. The oldest elements are dropped first.
const (
	maxOpen     = 32 // concurrent calls: a model makes a dozen at most
	maxFailed   = 32 // a failure is forgotten after 32 failures of other targets
	maxMessages = 8  // the lines of one answer are adjacent, except for results between them
	maxLines    = 64 // a compaction was seen to repeat up to three lines
)

// Fits reports whether a file of this size can be the one that s belongs to. If not, the file was
// replaced or truncated: discard s and the counts made with it, and start from State{}.
func (s State) Fits(size int64) bool { return 0 <= s.Offset && s.Offset <= size }

// SubagentsFolder returns the directory in which the client keeps the transcripts of a session's
// subagents: *.jsonl, also in subdirectories. It need not exist.
func SubagentsFolder(path string) string { return strings.TrimSuffix(path, ".jsonl") + "/subagents" }

// Read counts the lines in r, a record of this form, which must be positioned at s.Offset of the file. It returns only
// the new counts, and the State to continue from; s is not changed. A last line without a newline is left for the next
// reading.
//
// It stops after the line that reaches limit bytes, if limit is positive, and between two lines once ctx is done. That
// is not an error: Work.More is set. An error is r's; Work and State then cover the lines read before it.
func (form Form) Read(ctx context.Context, r io.Reader, s State, limit int64) (Work, State, error) {
	in := lines{r: r, long: s.Skipping}
	c := newCounter(s)
	for begin := s.Offset; ; {
		if ctx.Err() != nil || limit > 0 && c.state.Offset-begin >= limit {
			c.work.More = true
			return c.work, c.state, nil
		}
		part, err := in.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return c.work, c.state, err
		}
		c.state.Offset += int64(part.size)
		c.state.Skipping = !part.ends
		switch raw := bytes.TrimSpace(part.line); {
		case !part.ends || len(raw) == 0 && !part.long:
		case part.long || form == Claude && !c.add(raw) || form != Claude && !c.addOther(form, raw):
			c.work.Unread++
		}
	}
}
