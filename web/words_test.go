package web

import (
	"testing"

	"ltm/internal/advice/edgetest"
)

func TestEveryKindHasWords(t *testing.T) { edgetest.Complete(t, nextSteps(), "../memory/kind.go") }
