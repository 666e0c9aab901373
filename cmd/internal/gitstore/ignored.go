package gitstore

import (
	"context"
	"fmt"
	"path"
	"strings"

	"ltm/internal/git/gitcmd"
)

// Rule is the line of a file that makes git ignore something.
type Rule struct{ Source, Line, Pattern string }

// String returns the rule's pattern, file and line.
func (r Rule) String() string {
	return fmt.Sprintf("%q in %s, line %s", r.Pattern, r.Source, r.Line)
}

// Ignored returns the rule for each of these files that git ignores or would ignore if it did not
// track it. Names are slash-separated paths relative to the store's directory; they may lead out
// of it, but not out of the work tree.
func (s Store) Ignored(ctx context.Context, names ...string) (map[string]Rule, error) {
	tree, prefix, err := s.open()
	if err != nil {
		return nil, err
	}
	var in strings.Builder
	given := map[string]string{}
	for _, name := range names {
		full := path.Clean(prefix + name)
		given[full] = name
		in.WriteString(full + "\x00")
	}
	out, err := tree.Filter(ctx, []byte(in.String()), "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if gitcmd.Status(err) == 1 {
		err = nil // none is ignored
	}
	rules := map[string]Rule{}
	for f := strings.Split(string(out), "\x00"); len(f) > 4; f = f[4:] {
		if !strings.HasPrefix(f[2], "!") {
			rules[given[f[3]]] = Rule{f[0], f[1], f[2]}
		}
	}
	return rules, err
}
