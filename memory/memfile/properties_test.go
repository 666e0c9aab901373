package memfile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/memfile"
)

func TestReadProperties(t *testing.T) {
	for name, test := range map[string]struct {
		in   string
		want memfile.Properties
		body string
	}{
		"none":      {"# Title\n\ntext\n", nil, "# Title\n\ntext\n"},
		"empty":     {"", nil, ""},
		"unclosed":  {"---\ntitle: a\n", nil, "---\ntitle: a\n"},
		"two rules": {"---\n\nsome words\n\n---\nmore", nil, "---\n\nsome words\n\n---\nmore"},
		"a list, and a word": {"---\ntitle: A\nTags: [a, \"b c\"]\naliases:\n  - x\n  - y\nempty:\n---\nbody\n",
			memfile.Properties{"title": {"A"}, "tags": {"a", "b c"}, "aliases": {"x", "y"}}, "body\n"},
		"nested": {"---\nname: n\nmetadata:\n  type: user\n  deep: {er: 1}\n---\n",
			memfile.Properties{"name": {"n"}, "metadata.type": {"user"}, "metadata.deep.er": {"1"}}, ""},
		"a wiki link is a list in a list": {"---\nup: [[Home]]\n---\n", memfile.Properties{"up": {"Home"}}, ""},
		"a colon in a value": {"---\ndescription: Fix: use it\n---\n",
			memfile.Properties{"description": {"Fix: use it"}}, ""},
		"a quote in a value": {"---\na: it's: so\n---\n", memfile.Properties{"a": {"it's: so"}}, ""},
		"a template": {"---\ntitle: {{title}} x\n---\n",
			memfile.Properties{"title": {"{{title}} x"}}, ""},
		"a tag with a number sign": {"---\ntags:\n  - @x\n  - y\n---\n",
			memfile.Properties{"tags": {"@x", "y"}}, ""},
		"Windows": {"\ufeff---\r\ntitle: A\r\n---\r\nx\r\n",
			memfile.Properties{"title": {"A"}}, "x\n"},
		"a date stays text": {"---\ncreated: 2026-01-15\n---\n",
			memfile.Properties{"created": {"2026-01-15"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, body, err := memfile.ReadProperties([]byte(test.in))
			require.NoError(t, err)
			require.Equal(t, test.want, got)
			require.Equal(t, test.body, body)
		})
	}
}

func TestReadPropertiesRefuses(t *testing.T) {
	for name, test := range map[string]struct{ in, want string }{
		"aliases": {"---\na: &a [x, x]\nb: [*a, *a]\n---\n", "the front matter uses YAML aliases"},
		"size":    {"---\na: " + strings.Repeat("x", 70<<10) + "\n---\n", "more than 65536"},
		"yaml":    {"---\na: |\n  x\n y: \t- [\n---\n", "the front matter is not YAML"},
		"utf-8":   {"---\na: \xff\n---\n", "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := memfile.ReadProperties([]byte(test.in))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func FuzzProperties(f *testing.F) {
	f.Add([]byte("---\ntitle: A: b\ntags: [x]\n---\nbody"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, body, err := memfile.ReadProperties(data)
		if err != nil {
			return
		}
		size := len(body)
		for key, values := range p {
			require.NotEmpty(t, values, key)
			for _, v := range values {
				require.Equal(t, strings.TrimSpace(v), v)
				size += len(v)
			}
		}
		require.LessOrEqual(t, size, 2*len(data)+1, "nothing is multiplied")
	})
}
