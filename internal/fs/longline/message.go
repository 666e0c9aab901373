package longline

import (
	"encoding/json"
	"regexp"
	"sync"
)

// maxEnd is how much is kept of each end of a line that is too long. Clients write an id at one of them.
const maxEnd = 1 << 10

// ids matches the id of a message among short fields at its beginning, or at its end.
var ids = sync.OnceValue(func() [2]*regexp.Regexp {
	const (
		text  = `"(?:[^"\\]|\\.)*"`
		short = `\s*` + text + `\s*:\s*(?:` + text + `|[-+.\w]+)\s*`
		id    = `\s*"id"\s*:\s*(` + text + `|-?[0-9][-+.\w]*)\s*`
	)
	return [2]*regexp.Regexp{
		regexp.MustCompile(`(?s)^.*[{,]` + id + `(?:,` + short + `)*\}\s*$`),
		regexp.MustCompile(`^\s*\{(?:` + short + `,)*` + id + `[,}]`),
	}
})

// maxID bounds the length of an id.
const maxID = 256

// idOf returns the id of a message by its beginning and its end, or nil if none is there that a request may have.
func idOf(begin, end []byte) json.RawMessage {
	patterns := ids()
	found := patterns[0].FindSubmatch(end)
	if found == nil {
		found = patterns[1].FindSubmatch(begin)
	}
	if found == nil || len(found[1]) > maxID || !IsID(found[1]) {
		return nil
	}
	return found[1]
}
