package store_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/internal/cachefile"
	"ltm/memory"
	"ltm/store"
)

// FuzzScanCache gives any bytes the head and the checksum of a cache, for outside of
// git one can come with a download: what a scan serves is valid all the same, and so
// is the index that is made of it.
func FuzzScanCache(f *testing.F) {
	f.Fuzz(func(t *testing.T, body []byte) {
		fx := newStore(t)
		fx.now = time.Unix(2e9, 0)
		fx.Store = fx.reopen()
		fx.put("mem_00000001", "one")
		old := time.Unix(1e9, 1) // what the seeds say of the file and its folder
		require.NoError(t, os.Chtimes(fx.path("memories/mem_00000001.md"), old, old))
		require.NoError(t, os.Chtimes(fx.path("memories"), old, old))
		info, err := os.Stat(fx.path("memories"))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(fx.path("tree/cache"), 0o755))
		body = withFolderSize(body, info.Size())
		topics(t, fx.reopen()) // which leaves a cache
		header := cachefile.Format{Magic: "ltm-scan", Version: 6}.Header()
		require.True(t, strings.HasPrefix(fx.read("tree/cache/memories.bin"), string(header)))
		cache := append(cachefile.Begin(header), body...)
		cachefile.End(cache, len(header), 0)
		fx.write("tree/cache/memories.bin", string(cache))

		require.NoError(t, fx.reopen().View(func(v *store.View) error {
			for _, read := range []func() (*store.Snapshot, error){v.MemoriesQuick, v.Memories} {
				snapshot, err := read()
				require.NoError(t, err)
				requireValid(t, snapshot)
			}
			return nil
		}))
		s := fx.reopen()
		fx.Store = s
		require.NoError(t, fx.update((*store.Tx).WriteIndex))
		require.True(t, json.Valid([]byte(fx.read("index.json"))), "%s", fx.read("index.json"))
	})
}

// withFolderSize puts the size of a folder, which file systems have their own
// notion of, before what the seed says of the rest.
func withFolderSize(body []byte, size int64) []byte {
	return append(binary.AppendVarint(nil, size), body...)
}

func requireValid(t *testing.T, s *store.Snapshot) {
	t.Helper()
	last := memory.ID("")
	for _, r := range s.Records {
		id, err := memory.ParseID(string(r.ID))
		require.NoError(t, err)
		require.Equal(t, r.ID, id)
		require.Greater(t, r.ID, last, "sorted, each once")
		last = r.ID
		require.True(t, r.Phase.Active(), "phase %d", r.Phase)
		require.NoError(t, memory.CheckDifficulty(r.Difficulty))
		require.True(t, utf8.ValidString(r.Topic+strings.Join(r.Tags, "")))
		require.NotEmpty(t, r.Topic)
		require.NotContains(t, r.Topic, "\n")
		_, err = r.CreatedAt.MarshalJSON()
		require.NoError(t, err)
		require.GreaterOrEqual(t, r.CreatedSession, 0)
		require.Contains(t, append(memory.Categories(), ""), r.Category)
		if r.Confidence != nil {
			require.True(t, *r.Confidence >= 0 && *r.Confidence < 1)
		}
		for _, id := range slices.Concat(r.Supersedes, r.Disputes, r.Related) {
			parsed, err := memory.ParseID(string(id))
			require.NoError(t, err)
			require.Equal(t, parsed, id)
		}
		require.LessOrEqual(t, len(r.Aliases), memory.MaxAliases)
		for _, alias := range r.Aliases {
			require.True(t, memory.IsAlias(alias))
		}
		require.True(t, utf8.ValidString(r.Agent+r.Commit+r.Signature))
		if w := r.Work; w != nil {
			require.GreaterOrEqual(t, min(w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures), 0)
			require.Contains(t, []string{"", memory.SourceTranscript, memory.SourceHooks}, w.Source)
		}
	}
}
