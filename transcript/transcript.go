package transcript

import (
	"context"
	"errors"
	"io"
	"strings"
)

// MaxLine is the length, in bytes, up to which a line is looked at. What is
// longer holds images or whole files, and is passed over.
const MaxLine = 16 << 20

// Counts is the work done by the session itself, or by its subagents.
type Counts struct {
	Calls        int `json:"calls"`         // tools called
	Failures     int `json:"failures"`      // calls that ran, or were not fit to run, and failed
	Refused      int `json:"refused"`       // calls that a person or a permission stopped: no failures
	Retries      int `json:"retries"`       // calls of a tool for a target with which it had failed just before
	OutputTokens int `json:"output_tokens"` // what the model wrote
	ResultChars  int `json:"result_chars"`  // text that tools gave back, at most [MaxResult] for each
	Compactions  int `json:"compactions"`   // times that the conversation was summed up
}

// Add returns the sum of both.
func (c Counts) Add(d Counts) Counts {
	return Counts{
		Calls: c.Calls + d.Calls, Failures: c.Failures + d.Failures, Refused: c.Refused + d.Refused, Retries: c.Retries + d.Retries,
		OutputTokens: c.OutputTokens + d.OutputTokens, ResultChars: c.ResultChars + d.ResultChars, Compactions: c.Compactions + d.Compactions,
	}
}

// Work is what one reading found.
type Work struct {
	Main      Counts `json:"main"`
	Subagents Counts `json:"subagents"` // lines with isSidechain
	Unread    int    `json:"unread"`    // lines that are no JSON object, broken where it matters, or longer than MaxLine
	More      bool   `json:"-"`         // the limit or ctx ended the reading: there may be more to read now
}

// Add returns the sum of both; there is more if there is more of d, the later.
func (w Work) Add(d Work) Work {
	return Work{Main: w.Main.Add(d.Main), Subagents: w.Subagents.Add(d.Subagents), Unread: w.Unread + d.Unread, More: d.More}
}

// State is what one reading leaves for the next of the same file. The zero
// State begins a file. As JSON it takes less than 4 KB, and mostly less than 1.
//
// All but Offset and Skipping may be dropped when room counts more than the
// edges: a State of these two alone is a good one. It then forgets that a call
// just before it failed, and counts anew what the client repeats just after it.
type State struct {
	Offset   int64     `json:"offset"`             // bytes read: where the next line begins
	Skipping bool      `json:"skipping,omitempty"` // Offset is inside a line longer than MaxLine
	Open     []Call    `json:"open,omitempty"`     // calls without a result, oldest first
	Failed   []uint32  `json:"failed,omitempty"`   // targets that failed last, oldest first
	Messages []Message `json:"messages,omitempty"` // the latest answers of the model
	Lines    []uint32  `json:"lines,omitempty"`    // the latest lines counted
}

// Call is a tool call whose result has not come: hashes of its id and target.
type Call struct {
	ID     uint32 `json:"id"`
	Target uint32 `json:"target"`
}

// Message is an answer of the model, by the hash of its id, and the tokens of
// it that were counted.
type Message struct {
	ID     uint32 `json:"id"`
	Tokens int    `json:"tokens"`
}

// The most that a State holds of each, the oldest being dropped first.
const (
	maxOpen     = 32 // calls at once: a model makes a dozen at most
	maxFailed   = 32 // a failure that was not tried again for 32 others is given up
	maxMessages = 8  // lines of one answer stand together, but for the results between them
	maxLines    = 64 // a compaction was seen to repeat up to three lines at once
)

// Fits says whether a file of this size can be the one that the State is of.
// When it is not, the file was replaced or cut: drop the State and what was
// counted with it, and begin with State{}.
func (s State) Fits(size int64) bool { return 0 <= s.Offset && s.Offset <= size }

// SubagentsFolder names the folder in which the client keeps the transcripts of
// a session's subagents: *.jsonl, in folders below it as well. It need not exist.
func SubagentsFolder(path string) string { return strings.TrimSuffix(path, ".jsonl") + "/subagents" }

// Read counts the lines that r holds; r stands at s.Offset of the file. It
// returns what it counted, not what was counted before, and the State with
// which to read on. A last line without a newline is left for the next time.
//
// It stops after the line with which limit bytes are reached, if limit is above
// 0, and between two lines once ctx has ended. That is no error: Work.More says
// so. The error is what r returned; Work and State then are those of the lines
// read before it. s is not changed.
func Read(ctx context.Context, r io.Reader, s State, limit int64) (Work, State, error) {
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
		if part.ends {
			c.line(part.line, part.long)
		}
	}
}
