package torture_test

import (
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"
)

// aSecret is a person's signing key.
var aSecret = "ltm-key-v1 " + strings.Repeat("5a0f17c2", 8) + "\n"

// keyed prepares a furnished project of a person who has a signing key from the start, and a
// command on the first of its memories.
func keyed(args ...string) func(project) (string, []string) {
	return func(p project) (string, []string) {
		p.run(aSecret, "key", "import", "-")
		return "", on(furnish(p), args)
	}
}

// signed makes and removes keys, and signs memories.
func signed() []operation {
	return []operation{
		{name: "key new", adds: true, prepare: furnished("key", "new")},
		{name: "key import", prepare: func(p project) (string, []string) {
			furnish(p)
			return aSecret, []string{"key", "import", "-"}
		}},
		{name: "key use", prepare: func(p project) (string, []string) {
			furnish(p)
			p.run(aSecret, "key", "import", "-")
			return "", []string{"key", "use", p.newKey()}
		}},
		{name: "key rm", again: []int{3}, prepare: func(p project) (string, []string) {
			furnish(p)
			p.run(aSecret, "key", "import", "-")
			return "", []string{"key", "rm", p.newKey(), "--yes"}
		}},
		{name: "sign", prepare: func(p project) (string, []string) {
			furnish(p)
			p.run(aSecret, "key", "import", "-")
			return "", []string{"sign"}
		}},
		{name: "update of a signed memory", adds: true, prepare: keyed("update", "ID", "--content", "New text.")},
		{name: "pin of a signed memory", prepare: keyed("pin", "ID")},
	}
}

// newKey makes a key and returns its fingerprint. It is not the current one.
func (p project) newKey() string {
	p.t.Helper()
	var made struct{ Fingerprint string }
	p.json(&made, "key", "new")
	require.NotEmpty(p.t, made.Fingerprint)
	var all struct {
		Keys []struct{ Fingerprint string }
	}
	p.json(&all, "key", "list")
	for _, k := range all.Keys {
		if k.Fingerprint != made.Fingerprint {
			p.run("", "key", "use", k.Fingerprint)
		}
	}
	return made.Fingerprint
}

// keys returns the directory of the person's keys.
func (p project) keys() string { return filepath.Join(p.root, "home", ".config", "ltm", "keys") }

// isKey counts a key, and reports whether a file is one or names the current one. Keys are random, so
// that two runs have different ones.
func (f *facts) isKey(name string) bool {
	const dir = "home/.config/ltm/keys/"
	switch {
	case name == dir+"current":
		f.others[dir+"current"] = "one is"
		return true
	case !strings.HasPrefix(name, dir) || !strings.HasSuffix(name, ".key"):
		return false
	}
	f.others[dir] += "a key\n"
	return true
}
