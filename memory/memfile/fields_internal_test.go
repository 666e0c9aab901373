package memfile

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// TestANewFieldIsOneRow adds a field to a copy of the table. It is read, written, changed and removed by that row
// alone, and without it, the field's bytes stay. The header does not have LinksLeft, which takes the value here.
func TestANewFieldIsOneRow(t *testing.T) {
	more := append(slices.Clone(fields()), field{key: "mood",
		present: func(m *memory.Memory) bool { return m.LinksLeft != 0 },
		write:   func(m *memory.Memory) string { return strconv.Itoa(m.LinksLeft) },
		read: func(m *memory.Memory, n *yaml.Node) (err error) {
			m.LinksLeft, err = strconv.Atoi(n.Value)
			return err
		},
		twice: func(m *memory.Memory) { m.LinksLeft = -1 }})
	m := memory.Memory{ID: "mem_00000001", Topic: "t", Content: "Text.", LinksLeft: 7}
	require.Contains(t, string(more.format(m)), "mood: 7\n---\n")
	require.NotContains(t, string(Format(m)), "mood")

	const text = "---\n# ours\ntopic: t\nmood:  7 # today\nowner: me\n---\nText.\n"
	change := func(fields table, text string, mood int) string {
		file, err := fields.parse([]byte(text))
		require.NoError(t, err)
		m := file.Memory
		m.LinksLeft = mood
		out, err := file.With(m)
		require.NoError(t, err)
		return string(out)
	}
	file, err := more.parse([]byte(text))
	require.NoError(t, err)
	require.Equal(t, 7, file.Memory.LinksLeft)
	require.Equal(t, text, change(more, text, 7))
	require.Equal(t, "---\n# ours\ntopic: t\nmood: 8 # today\nowner: me\n---\nText.\n", change(more, text, 8))
	without := change(more, text, 0)
	require.Equal(t, "---\n# ours\ntopic: t\nowner: me\n---\nText.\n", without)
	require.Equal(t, "---\n# ours\ntopic: t\nowner: me\nmood: 9\n---\nText.\n", change(more, without, 9))
	require.Equal(t, text, change(fields(), text, 8), "without the row, the key is one that ltm keeps")
	require.Equal(t, "---\ntopic: \"t\"\nmood: 8\nowner: me\n---\nText.\n",
		change(more, "---\n{topic: t, mood: 7, owner: me}\n---\nText.\n", 8))

	file, err = more.parse([]byte("---\ntopic: t\nmood: 1\nmood: 2\n---\nText.\n"))
	require.NoError(t, err)
	require.Equal(t, -1, file.Memory.LinksLeft)
}
