package secrets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/secrets"
)

func TestFind(t *testing.T) {
	// The examples are put together here, so that scanners of this repository
	// have nothing to find.
	key := func(parts ...string) string { return strings.Join(parts, "") }
	for kind, text := range map[string]string{
		"AWS access key":    "use " + key("AKIA", "IOSFODNN7EXAMPLE") + " there",
		"GitHub token":      key("ghp_", strings.Repeat("a1", 18)),
		"GitLab token":      key("glpat-", "abcdefghij0123456789"),
		"Slack token":       key("xoxb-", "123456789012-abcdefghij"),
		"Stripe key":        key("sk_live_", "abcdefghij0123456789"),
		"Google API key":    key("AIza", strings.Repeat("b", 35)),
		"API key":           key("sk-ant-", strings.Repeat("c9", 20)),
		"npm token":         key("npm_", strings.Repeat("d", 36)),
		"JSON web token":    key("eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "zdWIiOiIxMjM0In0.", "abcdefghij_-klmno"),
		"private key":       key("-----BEGIN RSA ", "PRIVATE KEY-----\nMIIE\n-----END RSA ", "PRIVATE KEY-----"),
		"password in a URL": key("postgres://app:", "hunter2@db.internal/shop"),
		"password":          key("DB_PASS", "WORD=", "tr0ub4dor&3x"),
	} {
		t.Run(kind, func(t *testing.T) {
			found := secrets.Find(text)
			require.Len(t, found, 1)
			require.Equal(t, kind, found[0].Kind)
			masked, n := secrets.Redact(text)
			require.Equal(t, 1, n)
			require.Contains(t, masked, secrets.Mask)
			require.Empty(t, secrets.Find(masked))
		})
	}
}

func TestFindLeavesProseAlone(t *testing.T) {
	for _, text := range []string{
		"", "The password: rotate it monthly.", "set PASSWORD=${DB_PASSWORD}", "api_key = os.Getenv", "postgres://user:password@localhost/db",
		"commit 3f2a9c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b", "sk-learn is a library", "https://example.com:8080/path@v1.2.3",
		"task-based secret: sharing by default", "The key AKIA is a prefix",
	} {
		require.Empty(t, secrets.Find(text), text)
	}
}
