package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// index is an index.json with these topics by the last digit of their id.
func index(topics map[int]string) []byte {
	var entries []string
	for n := range 10 {
		if topic, ok := topics[n]; ok {
			entries = append(entries, fmt.Sprintf(`"mem_0000000%d":{"topic":%q,"tags":[],"phase":0,"difficulty":0,"created_at":""}`, n, topic))
		}
	}
	return []byte(`{"version":1,"memories":{` + strings.Join(entries, ",") + `}}`)
}

func merge(t *testing.T, base, ours, theirs []byte) []byte {
	t.Helper()
	merged, err := store.MergeIndexes(base, ours, theirs)
	require.NoError(t, err)
	return merged
}

func TestMergeIndexes(t *testing.T) {
	type topics = map[int]string
	base := topics{1: "a", 2: "b"}
	for name, test := range map[string]struct{ ours, theirs, want topics }{
		"both add":              {topics{1: "a", 2: "b", 3: "c"}, topics{1: "a", 2: "b", 4: "d"}, topics{1: "a", 2: "b", 3: "c", 4: "d"}},
		"each changes one":      {topics{1: "A", 2: "b"}, topics{1: "a", 2: "B"}, topics{1: "A", 2: "B"}},
		"both change one":       {topics{1: "ours", 2: "b"}, topics{1: "theirs", 2: "b"}, topics{1: "ours", 2: "b"}},
		"one removes":           {topics{1: "a"}, topics{1: "a", 2: "b"}, topics{1: "a"}},
		"the other removes":     {topics{1: "a", 2: "b"}, topics{2: "b"}, topics{2: "b"}},
		"remove and change":     {topics{1: "a"}, topics{1: "a", 2: "B"}, topics{1: "a"}},
		"change and remove":     {topics{1: "a", 2: "B"}, topics{1: "a"}, topics{1: "a"}},
		"nothing":               {base, base, base},
		"both remove, both add": {topics{2: "b", 5: "e"}, topics{2: "b", 5: "e"}, topics{2: "b", 5: "e"}},
	} {
		t.Run(name, func(t *testing.T) {
			merged := merge(t, index(base), index(test.ours), index(test.theirs))
			require.JSONEq(t, string(index(test.want)), string(merged))
			require.True(t, strings.HasSuffix(string(merged), "}\n"))
		})
	}
	t.Run("damaged", func(t *testing.T) {
		require.JSONEq(t, string(index(topics{3: "c"})), string(merge(t, nil, []byte("<<<<<<<"), index(topics{3: "c"}))))
		require.True(t, json.Valid(merge(t, nil, nil, nil)))
	})
	t.Run("of a newer version", func(t *testing.T) {
		for i := range 3 {
			sides := [][]byte{index(base), index(base), index(base)}
			sides[i] = []byte(`{"version":2,"memories":[]}`)
			_, err := store.MergeIndexes(sides[0], sides[1], sides[2])
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
		}
	})
}
