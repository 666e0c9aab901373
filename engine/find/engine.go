package find

import (
	"ltm/engine/finder"
	"ltm/engine/rank"
)

// Engine is one store, with what is found in it.
type Engine struct {
	*rank.Engine
	Finder *finder.Finder

	// RunningAgent returns the agent of the running session, where another store has the sessions. It may be nil.
	RunningAgent func() string
}

// New adds search to an engine.
func New(r *rank.Engine) *Engine {
	e := &Engine{Engine: r, Finder: finder.New()}
	if e.Outside {
		e.RunningAgent = func() string { return "" }
	}
	return e
}
