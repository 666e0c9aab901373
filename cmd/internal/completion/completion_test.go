package completion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/completion"
)

// TestOffered has candidates that a shell could run, or take for an option.
func TestOffered(t *testing.T) {
	good := []string{"go", "größe\t3", "a,b", "http://host:80", "x@y_z+1.2-3", "\u4e2d\tany `text`"}
	bad := []string{"a`./x`1", "$(./x)", "a b", "--hard", "-", "a;b", "a'b", "a\"b", "~a\\", "a|b", "(x)",
		"a*", "{a}", "\x1b"}
	require.Equal(t, good, completion.Offered(append(bad, good...)))
}
