package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

func TestMarkdown(t *testing.T) {
	const text = "# Title\n\nA paragraph that is too long.\nIts second line.\n\n- an item that is too long\n  * " +
		"nested item that is long\n10. ten is two digits and long\n> quoted text that is long\n>\n" +
		"```go\nif x { this line of code is not wrapped }\n\ty\n```\nafter\n~~~~\n~~~\n~~~~\n| a | b |\n    indented " +
		"code that is not wrapped\n#no-heading"
	want := []string{
		bold + "Title" + off, "",
		"A paragraph that is", "too long.", "Its second line.", "",
		"• an item that is", "  too long",
		"  • nested item that", "    is long",
		"10. ten is two", "    digits and long",
		"│ quoted text that", "│ is long", "│",
		"    if x { this line of code is not wrapped }", "        y",
		"after", "    ~~~", "| a | b |",
		"    indented code that is not wrapped", "#no-heading",
	}
	require.Equal(t, want, terminal.Screen{Rich: true, Color: true, Width: 20}.Markdown(text))
}
