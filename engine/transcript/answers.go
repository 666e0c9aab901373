package transcript

import (
	"bytes"
	"context"
	"io"
	"strings"
)

// Answers calls hear with each text that the model wrote to the person, without those of subagents. It ends with the
// text, with an error of r, and between two lines once ctx is done.
func Answers(ctx context.Context, r io.Reader, hear func(text string)) {
	in := lines{r: r}
	var w row
	for ctx.Err() == nil {
		part, err := in.next()
		if err != nil {
			return
		}
		line := bytes.TrimSpace(part.line)
		if part.long || !part.ends || len(line) == 0 || line[0] != '{' || !bytes.Contains(line, []byte(`"assistant"`)) {
			continue
		}
		w = row{calls: w.calls[:0], results: w.results[:0]}
		if w.read(line) && w.kind == assistant && !w.side && !strings.HasPrefix(w.model, "<") { // the client's own
			hear(w.text)
		}
	}
}
