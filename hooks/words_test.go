package hooks_test

import (
	"testing"

	"ltm/hooks"
	"ltm/internal/advice/edgetest"
)

func TestEveryKindHasWords(t *testing.T) {
	edgetest.Complete(t, hooks.NextSteps(), "../memory/kind.go")
}
