package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet/redact"
)

func TestMask(t *testing.T) {
	aws := join("AKIA", "ABCDEFGH12345678")
	for name, c := range map[string]struct {
		text, want string
		n          int
	}{
		"empty":       {"", "", 0},
		"nothing":     {"run go test ./api", "run go test ./api", 0},
		"a key":       {"use " + aws + " here", "use [redacted] here", 1},
		"a path":      {"see /home/mira/x.go: line 3", "see [path]: line 3", 1},
		"two":         {aws + ", " + aws, "[redacted], [redacted]", 2},
		"hidden":      {"x " + aws[:8] + "\u200b" + aws[8:] + " y", "x [redacted] y", 1},
		"wide":        {"／home／mira", "[path]", 1},
		"a password":  {join("password=", "hunter2hunter2"), join("password=", "[redacted]"), 1},
		"overlapping": {join("/etc/x?password=", "hunter2hunter2"), join("[path]?password=", "[redacted]"), 2},
	} {
		t.Run(name, func(t *testing.T) {
			masked, n := redact.Mask(c.text)
			require.Equal(t, c.want, masked)
			require.Equal(t, c.n, n)
		})
	}
}

// TestMaskWholeCredentials checks that nothing is left of a credential of which a pattern matches a
// part: a key's lines may be joined or cut before they are looked at.
func TestMaskWholeCredentials(t *testing.T) {
	line := "MIIEpAIBAAKCAQEA7bq3xY9mZk2QpLw8RtVnXc4JhGfDsAq1WeErTyUiOpZxCvBn\n"
	for _, kind := range []string{"", "RSA ", "EC ", "OPENSSH ", "DSA ", "ENCRYPTED "} {
		pem := join("-----BEGIN "+kind, "PRIVATE KEY-----\n") + strings.Repeat(line, 6) +
			join("-----END "+kind, "PRIVATE KEY-----")
		for name, key := range map[string]string{"whole": pem, "cut": pem[:200],
			"joined": strings.Join(strings.Fields(pem), " "), "escaped": strings.ReplaceAll(pem, "\n", "\\n"),
			"joined and cut": strings.Join(strings.Fields(pem[:200]), " ")} {
			masked, n := redact.Mask("use " + key)
			require.NotContains(t, masked, "MIIE", "%s%s", kind, name)
			require.NotContains(t, masked, "CvBn", "%s%s", kind, name)
			require.Positive(t, n, "%s%s", kind, name)
		}
	}
	masked, n := redact.Mask(join("see https://u:AK", "IAABCDEFGH12345678-and-more@db.example"))
	require.NotContains(t, masked, "more")
	require.Equal(t, 1, n)
}

// FuzzMask masks any text: nothing is found afterwards, and a text without findings is kept.
func FuzzMask(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		masked, n := redact.Mask(text)
		require.Empty(t, redact.Text(masked), "%q", masked)
		require.Equal(t, len(redact.Text(text)), n)
		if n == 0 {
			require.Equal(t, text, masked)
		} else {
			require.True(t, strings.Contains(masked, "[path]") || strings.Contains(masked, "[redacted]"))
		}
	})
}
