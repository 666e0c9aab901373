package engine

import (
	"ltm/engine/base"
	"ltm/engine/tell"
)

// Engine carries out the use cases on one store.
type Engine = tell.Engine

// Options wires an [Engine].
type Options = base.Options

func New(o Options) *Engine { return tell.New(o) }
