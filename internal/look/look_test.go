package look_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/look"
)

// TestTheSheetLoadsNothing also checks that every color has its counterpart in the dark.
func TestTheSheetLoadsNothing(t *testing.T) {
	sheet := string(look.Sheet())
	for _, no := range []string{"url(", "@import", "@font-face", "http:", "https:"} {
		require.NotContains(t, sheet, no)
	}
	light, dark, found := strings.Cut(sheet, "prefers-color-scheme: dark")
	require.True(t, found)
	dark, _, found = strings.Cut(dark, "*, *::before")
	require.True(t, found)
	color := regexp.MustCompile(`(--[a-z0-9]+): #`)
	names := color.FindAllStringSubmatch(light, -1)
	require.Greater(t, len(names), 8)
	for _, name := range names {
		require.Contains(t, dark, name[1]+": #")
	}
}
