package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestOutdatedInTopic(t *testing.T) {
	for name, c := range map[string]struct{ topic, before, after, want string }{
		"a number":                {"Timeout is 30 s", "The timeout is 30 s.", "It is 60 s now.", "30"},
		"a number with its unit":  {"Timeout of 30s", "timeout:30s", "timeout:60s", "30s"},
		"another unit":            {"Timeout of 30s", "It is 30s.", "It is 30ms.", "30s"},
		"a percentage":            {"Sampling is 5%", "We sample 5% of it.", "We sample all of it.", "5%"},
		"a version":               {"Needs Go v1.24.3", "Go 1.24.3 or later.", "Go 1.25.0 or later.", "v1.24.3"},
		"a longer version":        {"Needs Go 1.2", "Go 1.2.", "Go 1.25.", "1.2"},
		"a number within another": {"Port 80", "It is port 80.", "It is port 8080.", "80"},
		"camelCase":               {"Call getUser first", "Call getUser.", "Call loadUser.", "getUser"},
		"snake_case":              {"Set max_conns", "max_conns = 5", "pool_size = 5", "max_conns"},
		"dotted":                  {"db.Pool is shared", "db.Pool is shared", "Each has its own.", "db.Pool"},
		"a path":                  {"Limits are in path/x.go", "See path/x.go.", "See path/y.go.", "path/x.go"},
		"a flag":                  {"Pass --race in CI", "Pass --race.", "Pass nothing.", "--race"},
		"in backticks":            {"Run `make all`", "Run `make all` first.", "Run `make some`.", "make all"},
		"a number in backticks":   {"Timeout is `30s`", "It is 30s.", "It is 60s.", "30s"},
		"the second of two":       {"2 pools of 50", "The 2 pools have 50.", "The 2 pools have 20.", "50"},

		"no number":                    {"The timeout", "It is 30 s.", "It is 60 s.", ""},
		"it is still there":            {"Retries of the 30 s call", "The 30 s call twice.", "The 30s call: once.", ""},
		"with the unit apart":          {"Timeout of 30s", "It is 30s.", "Still 30 s, but per host.", ""},
		"a separator":                  {"Limit of 1,000", "At most 1,000.", "At most 1000 each.", ""},
		"the end of a sentence":        {"Port 8080", "On 8080.", "Not only on 8080.", ""},
		"another prefix":               {"Go v1.24 is needed", "Go v1.24.", "Go 1.24 or later.", ""},
		"the old text never had it":    {"Timeout is 30 s", "Set in the config.", "Set by a flag.", ""},
		"only a longer one had it":     {"Port 80", "It is 8080.", "It is 9090.", ""},
		"words":                        {"The pool is shared", "The pool is shared.", "Each has its own.", ""},
		"names":                        {"GitHub token", "The GitHub token.", "It is another one.", ""},
		"abbreviations and slashes":    {"e.g. read/write locks", "e.g. read/write.", "None.", ""},
		"hyphens":                      {"A well-known port", "A well-known port.", "Another.", ""},
		"an identifier still there":    {"Set max_conns", "max_conns = 5", "`max_conns` = 9", ""},
		"an identifier of a longer":    {"Call getUser", "Call getUserName.", "Call it.", ""},
		"the same in capital letters":  {"Set MAX_CONNS", "max_conns = 5", "pool = 5", ""},
		"nothing":                      {"", "", "", ""},
		"a number in backticks, apart": {"Timeout is `30s`", "It is 30s.", "It is 30 s.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, memory.OutdatedInTopic(c.topic, c.before, c.after))
		})
	}
}
