package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/store"
)

// Init makes the store's directory, with the files that tell git how to treat it.
func (e *Engine) Init(ctx context.Context) error {
	return e.create(ctx, (*store.Tx).WriteRules)
}

// ProbeLock takes the lock of an existing store and lets it go again, waiting as
// long as any change would. It changes nothing.
func (e *Engine) ProbeLock(ctx context.Context) error {
	return e.update(ctx, func(*store.Tx) error { return nil })
}

// SeenSession is what the hooks noted of the session that they saw last.
type SeenSession struct {
	ID       string
	LastSeen time.Time
	Tools    int // calls, successful or not
	Ended    bool
}

// LastSession returns the session that the hooks saw last, or nil.
func (e *Engine) LastSession(context.Context) (*SeenSession, error) {
	var last *SeenSession
	err := e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		if s := state.CurrentSession; s != nil {
			last = &SeenSession{s.ID, s.LastSeen, s.ToolFailures + s.ToolSuccesses, s.EndedAt != nil}
		}
		return nil
	})
	return last, err
}

// ConfigProblems names settings of the files that are not in effect: unknown
// keys, and values that are not allowed.
func (e *Engine) ConfigProblems(context.Context) ([]string, error) {
	var problems []string
	err := e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		l := layersOf(v, state)
		problems = slices.Concat(odd("state.json", l.local), odd("config.json", l.shared), l.powerless())
		return nil
	})
	return problems, err
}

// odd names the settings of one file that count as not set.
func odd(file string, config map[string]json.RawMessage) []string {
	var problems []string
	for key, raw := range config {
		if isOlderName(key) {
			continue
		}
		k, err := findSetting(key)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: there is no setting %q", file, key))
		} else if _, ok := k.decode(raw); !ok {
			problems = append(problems, fmt.Sprintf("%s: %s is not a value: %s", file, raw, k.allowed()))
		}
	}
	slices.Sort(problems)
	return problems
}

// isOlderName reports whether a key is the predecessor's name of a setting, or of the
// level that it is in.
func isOlderName(key string) bool {
	return slices.ContainsFunc(settings(), func(k setting) bool {
		group, _, _ := strings.Cut(k.older, ".")
		return k.older != "" && (key == k.older || key == group)
	})
}

// powerless names values of guarded settings that would lower them, and do not.
func (l layers) powerless() []string {
	var problems []string
	for _, k := range settings() {
		if v, ok := k.decode(l.local[k.key]); k.guarded && ok && l.read(k).Source == sourceDefault && v != k.fallback {
			problems = append(problems, fmt.Sprintf("state.json: %s %v was not set in this clone, and does not count", k.key, v))
		}
		if v, ok := k.decode(l.shared[k.key]); k.guarded && ok && slices.Index(k.words, v.(string)) < slices.Index(k.words, k.fallback.(string)) {
			problems = append(problems, fmt.Sprintf("config.json: a shared %s cannot be %v", k.key, v))
		}
	}
	return problems
}
