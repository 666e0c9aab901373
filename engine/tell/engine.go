package tell

import (
	"ltm/engine/base"
	"ltm/engine/change"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/trust"
)

// Engine carries out all use cases on one store.
type Engine struct{ *change.Engine }

func New(o base.Options) *Engine {
	return &Engine{&change.Engine{Engine: find.New(rank.New(trust.New(base.New(o))))}}
}
