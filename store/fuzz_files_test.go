package store_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
	"ltm/store"
)

// FuzzScanCache changes a cache of a memory that has everything anywhere, and gives it a good checksum, for outside of
// git one can come with a download: what a scan serves is valid all the same, and so is the index that is made of it.
func FuzzScanCache(f *testing.F) {
	for at := range 40 {
		f.Add(7*at, 1, []byte{0xff})
	}
	f.Fuzz(func(t *testing.T, at, cut int, put []byte) {
		fx := newStore(t)
		fx.now = time.Unix(2e9, 0)
		fx.Store = fx.reopen()
		fx.put("mem_00000001", "one")
		fx.write("memories/mem_00000001.md", "---\ntopic: one\ndifficulty: 0.5\ntags: [tag]\nkind: ARCH\n"+
			"confidence: 0.25\nwork: {calls: 3, source: hooks}\naliases: [alias]\nsupersedes: [mem_00000004]\n"+
			"agent: a\ncommit: 1234567\norigin: {system: s, id: i}\nsignature: v1:a:b\n"+
			"refs: [a/b.go, 'c.go:3-5']\n---\nx\n")
		topics(t, fx.reopen()) // which leaves a cache
		header := cachefile.Format{Magic: "ltm-scan", Version: 12}.Header()
		fields, rest, err := cachefile.Next([]byte(fx.read("tree/cache/memories.bin"))[len(header):])
		require.NoError(t, err)
		require.Empty(t, rest)
		at = int(uint(at) % uint(len(fields)))
		end := at + int(uint(cut)%uint(len(fields)-at+1))
		cache := append(cachefile.Begin(header), slices.Concat(fields[:at], put, fields[end:])...)
		cachefile.End(cache, len(header))
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
