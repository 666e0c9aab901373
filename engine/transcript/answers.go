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
	var l line
	for ctx.Err() == nil {
		part, err := in.next()
		if err != nil {
			return
		}
		raw := bytes.TrimSpace(part.line)
		if part.long || !part.ends || len(raw) == 0 || raw[0] != '{' || !bytes.Contains(raw, []byte(`"assistant"`)) {
			continue
		}
		if l.read(raw, func() bool { return l.side }) && l.kind == assistant && !l.side &&
			!strings.HasPrefix(unquote(l.model), "<") { // the client's own
			hear(l.text())
		}
	}
}
