package tell

import (
	"context"
	"time"

	"ltm/engine/candidates"
	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/memory/api"
)

// proposeBudget bounds the reading of a record for candidates, for which a session's end has little time. What is read
// by then counts.
const proposeBudget = 250 * time.Millisecond

// outliner reads what a record says, as [ltm/engine/records.Dirs] does.
type outliner interface {
	Outline(ctx context.Context, path string) (transcript.Outline, error)
}

// propose keeps what the record of a session has that is worth a memory. Without a record, or with the setting
// candidates off, it does nothing.
func (e *Engine) propose(ctx context.Context, l api.Leaving) error {
	records, ok := e.Sessions.Records.(outliner)
	if !ok {
		return nil
	}
	wanted, err := e.wants(func(s settings.Settings) bool { return s.Candidates })
	if err != nil || !wanted {
		return err
	}
	path := l.Transcript
	if path == "" {
		if path, ok = e.Sessions.Records.Find(l.Session); !ok {
			return nil
		}
	}
	reading, cancel := context.WithTimeout(ctx, proposeBudget)
	defer cancel()
	o, err := records.Outline(reading, path)
	if err != nil {
		return nil //nolint:nilerr // there may be no record yet
	}
	if l.Summary != "" {
		o = o.WithSummary(l.Summary)
	}
	_, err = e.Propose(ctx, l.Session, candidates.Find(o))
	return err
}
