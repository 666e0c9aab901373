package manual_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/manual"
)

func TestPages(t *testing.T) {
	nothing := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "tide", Short: "Measure tides",
		Long: "Measure tides.\n\n.Dots and 'quotes' \\ begin.\n'So."}
	gauge := &cobra.Command{Use: "gauge NAME", Short: "Read a gauge", Run: nothing, Example: "  tide gauge north"}
	gauge.Flags().Int("limit", 3, "at most `N`")
	root.PersistentFlags().Bool("json", false, "print JSON")
	root.AddCommand(gauge, &cobra.Command{Use: "secret", Hidden: true, Run: nothing})

	pages := manual.Pages(root, "tide 2", manual.Date("86400"))
	require.Len(t, pages, 2, "hidden commands have no page")
	top := pages["tide.1"]
	require.True(t, strings.HasPrefix(top, ".TH TIDE 1 \"1970-01-02\" \"tide 2\"\n"), top)
	require.Contains(t, top, ".PP\n\\&.Dots and 'quotes' \\e begin.\n\\&'So.\n")
	require.Contains(t, top, ".TP\n.B gauge\nRead a gauge\n")
	page := pages["tide-gauge.1"]
	require.Contains(t, page, ".B tide gauge NAME [flags]\n")
	require.Contains(t, page, "\\-\\-limit N")
	require.Contains(t, page, ".SH OPTIONS OF ALL COMMANDS\n")
	require.Contains(t, page, ".SH EXAMPLES\n")
	require.Contains(t, page, ".SH SEE ALSO\n.BR tide (1)\n")
}

func TestDate(t *testing.T) {
	require.Equal(t, "", manual.Date(""))
	require.Equal(t, "", manual.Date("today"))
	require.Equal(t, "2023-11-14", manual.Date("1700000000"))
}

// TestOffered has candidates that a shell could run, or take for an option.
func TestOffered(t *testing.T) {
	good := []string{"go", "größe\t3", "a,b", "http://host:80", "x@y_z+1.2-3", "\u4e2d\tany `text`"}
	bad := []string{"a`./x`1", "$(./x)", "a b", "--hard", "-", "a;b", "a'b", "a\"b", "~a\\", "a|b", "(x)",
		"a*", "{a}", "\x1b"}
	require.Equal(t, good, manual.Offered(append(bad, good...)))
}
