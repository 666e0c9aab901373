package secrets

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormsAreWhole reads forms.txt: a line with a slip would find nothing.
func TestFormsAreWhole(t *testing.T) {
	for line := range strings.Lines(formLines) {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		f, prefixes := readForm(line)
		require.NotEmpty(t, f.kind, line)
		require.NotZero(t, f.body, line)
		require.Positive(t, f.min, line)
		require.GreaterOrEqual(t, f.max, f.min, line)
		require.True(t, f.sep == 0 || f.pos > 0 && f.pos < f.min && (f.body|dollarSign).has(f.sep), line)
		require.NotEmpty(t, strings.Fields(prefixes), line)
		for prefix := range strings.FieldsSeq(prefixes) {
			require.Greater(t, len(prefix), 1, line)
		}
	}
}
