package trust

import (
	"ltm/engine/base"
	"ltm/store"
)

// Engine is one store, with what was written or approved in this clone.
type Engine struct {
	*base.Engine
	Learned learned
}

// New adds trust to an engine. Its changes are signed, and record what signatures proved.
func New(b *base.Engine) *Engine {
	e := &Engine{Engine: b}
	if e.Signer != nil {
		e.Seals = func() store.Signer { return e.Prover() }
	}
	e.Also = append(e.Also, e.learn)
	return e
}
