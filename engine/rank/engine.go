package rank

import "ltm/engine/trust"

// Engine is one store, with the order of its memories.
type Engine struct {
	*trust.Engine
	Accesses  Accesses
	Questions Questions
}

// New adds the order of memories to an engine. Its changes count the accesses since the last one.
func New(t *trust.Engine) *Engine {
	e := &Engine{Engine: t}
	e.Also = append(e.Also, e.countAccesses)
	return e
}
