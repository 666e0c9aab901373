package memfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

// TestRenamedChangesNamesAlone gives a memory another id, and looks at all other bytes.
func TestRenamedChangesNamesAlone(t *testing.T) {
	old := strings.ReplaceAll(`---
id: "mem_abc123" # its id
topic: mem_abc123
# mem_abc123
other: [mem_abc123]
supersedes: [mem_abc1234, mem_abc123]
disputes:
  - mem_abc123
related: xmem_abc123,mem_abc123
---

mem_abc123
`, "\n", "\r\n")
	require.Equal(t, "mem_abc123", memfile.OddID([]byte(old)))
	named := []string{`"mem_abc123"`, " mem_abc123]", "- mem_abc123", ",mem_abc123"}
	want := old
	for _, s := range named {
		want = strings.Replace(want, s, strings.Replace(s, "abc123", "abc12300", 1), 1)
	}
	require.Equal(t, want, string(memfile.Renamed([]byte(old), "mem_abc123", "mem_abc12300")))
	for name, text := range map[string]string{
		"an id of eight digits": "---\nid: mem_0000000a\ntopic: x\n---\n",
		"no header":             "mem_abc123\n",
		"no id":                 "---\ntopic: mem_abc123\n---\n",
		"not hex":               "---\nid: mem_abcxyz\ntopic: x\n---\n",
		"a merge":               "<<<<<<< a\n---\nid: mem_abc123\n=======\n---\nid: mem_abc123\n>>>>>>> b\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, memfile.OddID([]byte(text)))
			require.Equal(t, text, string(memfile.Renamed([]byte(text), "mem_abc123", "mem_abc12300")))
		})
	}
}

// TestTagsThatDoNotCountStay has more tags than are read: a change of anything, and of the tags, keeps them.
func TestTagsThatDoNotCountStay(t *testing.T) {
	var tags []string
	for i := range 150 {
		tags = append(tags, fmt.Sprintf("tag%d", i))
	}
	old := "---\nid: mem_0000000a\ntopic: x\ntags: [" + strings.Join(tags, ", ") + "]\n---\n\ntext\n"
	file, err := memfile.Parse([]byte(old))
	require.NoError(t, err)
	require.Equal(t, tags[:memory.MaxReadTags], file.Memory.Tags)
	require.True(t, file.Memory.OddTags)
	m := file.Memory
	m.Topic = "y"
	data, err := file.With(m)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(old, "topic: x", `topic: "y"`, 1), string(data))
	m.Tags = append([]string{"new"}, m.Tags[1:]...)
	data, err = file.With(m)
	require.NoError(t, err)
	for _, tag := range append(tags[1:], "new") {
		require.Contains(t, string(data), "  - "+tag+"\n")
	}
	m.Tags = append(m.Tags, "one too many")
	_, err = file.With(m)
	require.Error(t, err, "it would not be read")
}
