package change

import (
	"context"

	"ltm/engine/find"
)

// Engine is one store, with how it is changed.
type Engine struct {
	*find.Engine

	// Taken reports whether the project has an id, which a new memory of the person then does not
	// get; nil: there is no project
	Taken func(ctx context.Context, id string) bool
}
