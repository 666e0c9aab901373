package search_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

func TestMayContradict(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"a number":            {"The database listens on port 5432.", "The database listens on port 6543.", true},
		"a number alone":      {"Database\nport 5432", "Database\nport 6543", true},
		"among others":        {"The limit is 20 MB. It is shared.", "It is shared. The limit is 40 MB.", true},
		"a unit":              {"The timeout is 30s.", "The timeout is 60s.", true},
		"a version":           {"CI uses Go 1.22.", "CI uses Go 1.25.", true},
		"a negation":          {"Use fastcache.", "Do not use fastcache.", true},
		"always and never":    {"Always squash commits.", "Never squash commits.", true},
		"a contraction":       {"The worker doesn't retry jobs.", "The worker retries jobs.", true},
		"no":                  {"The queue has no journal.", "The queue has a journal.", true},
		"markup":              {"- Use `fastcache`.", "**Don't** use fastcache", true},
		"the same":            {"The pool has 20 connections.", "The pool has 20 connections.", false},
		"other words":         {"The pool has 20 connections.", "The cache has 40 connections.", false},
		"another subject":     {"Service 12 has 20 connections.", "Service 14 has 20 connections.", false},
		"two numbers":         {"It is 20 in 2 tests.", "It is 30 in 3 tests.", false},
		"a number and a no":   {"The pool is not 20.", "The pool is 30.", false},
		"dates":               {"The release is on 2026-01-02.", "The release is on 2026-02-03.", false},
		"issues":              {"The cause is #123 again.", "The cause is #124 again.", false},
		"another file":        {"The limit is in a.go.", "The limit is in b.go.", false},
		"a word":              {"Yes.", "No.", false},
		"one that says more":  {"The port is 5432.", "The port of the tests is 6543.", false},
		"nothing":             {"", "", false},
		"a sign":              {"The port is # now.", "The port is 5432 now.", false},
		"a number before all": {"3 tests are flaky here.", "4 tests are flaky here.", false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, search.MayContradict(c.a, c.b))
			require.Equal(t, c.want, search.MayContradict(c.b, c.a))
		})
	}
}
