package store_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
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

// FuzzScanCache gives any bytes the head and the checksum of a cache, for outside of
// git one can come with a download: what a scan serves is valid all the same, and so
// is the index that is made of it.
func FuzzScanCache(f *testing.F) {
	for _, seed := range cacheSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		fx := newStore(t)
		fx.now = time.Unix(2e9, 0)
		fx.Store = fx.reopen()
		fx.put("mem_00000001", "one")
		old := time.Unix(1e9, 1) // what the seeds say of the file and its directory
		require.NoError(t, os.Chtimes(fx.path("memories/mem_00000001.md"), old, old))
		require.NoError(t, os.Chtimes(fx.path("memories"), old, old))
		info, err := os.Stat(fx.path("memories"))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(fx.path("tree/cache"), 0o755))
		body = withFolderSize(body, info.Size())
		topics(t, fx.reopen()) // which leaves a cache
		header := cachefile.Format{Magic: "ltm-scan", Version: 10}.Header()
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

// cacheSeeds returns bodies of a cache without the size of the directory: one of a memory that has everything, and
// what differs from it in one place.
func cacheSeeds() [][]byte {
	const row = 60
	old, number := time.Unix(1e9, 1).UnixNano(), binary.LittleEndian
	body := func(change func(row []byte), refs, text string) []byte {
		rows := make([]byte, row)
		number.PutUint64(rows[0:], 50)
		number.PutUint64(rows[8:], uint64(old))
		number.PutUint64(rows[16:], 2e18)
		number.PutUint64(rows[24:], math.Float64bits(0.5))
		number.PutUint64(rows[32:], 1e9)
		rows[49], rows[51] = 1, 1<<1|1<<2|1<<3|1<<5 // architectural; references, links, an agent and a signature
		change(rows)
		b := binary.AppendVarint(binary.AppendVarint(nil, old), 2e18)
		b = append(binary.AppendUvarint(b, 1), rows...)
		b = binary.AppendUvarint(b, 1)
		return cachefile.AppendString(cachefile.AppendString(b, refs), text)
	}
	const ref = "\x06a/b.go\x00\x03f.x\x10" + "0123456789abcdef" + "\x00\x00"
	const text = "\x0fmem_00000001.md" + "\x03top\x01\x03tag\x01" + "\xf0\x0f" + // everything, from odd aliases on
		"\x80\x94\xeb\xdc\x03\x09forgotten" + "\x00\x00\x00\x00\x00\x00\xd0\x3f" + // archived, confidence 0.25
		"\x03\x01\x00\x05\x00\x00\x01\x05hooks" + // work
		"\x01\x0cmem_00000002\x00\x00\x01a\x071234567\x06v1:a:b\x01s\x01i\x00\x00" + // links
		"\x01\x05alias" + "\x02\x00"
	same := func([]byte) {}
	seeds := [][]byte{{}, body(same, ref, text), body(same, strings.Replace(ref, "a/b", "../", 1), text)}
	for _, change := range [][2]string{{"\x03top", "\x00"}, {"top", "t\np"}, {"top", "t\xffp"}, {"tag", "\xff\xffg"},
		{"mem_00000001", "mem_0000000z"}, {"mem_00000001", "mem_00000009"}, {"\x05hooks", "\x05other"},
		{"\x01\x05alias", "\xff\xff\x01alias"}, {"\x02\x00", "\x02\x01"}, {"\x02\x00", "\x7f\x00"},
		{"v1:a:b", "v1:a\nb"},
		{"mem_00000002", "mem_0000000z"}, {"\xd0\x3f", "\xf8\x7f"}, {"\xeb\xdc\x03", "\xeb\xdc\xff\xff\xff\x03"}} {
		seeds = append(seeds, body(same, ref, strings.Replace(text, change[0], change[1], 1)))
	}
	nan := math.Float64bits(math.NaN())
	for at, value := range map[int]uint64{0: 0, 8: math.MaxUint64, 16: 0, 24: nan, 32: 1 << 60} {
		seeds = append(seeds, body(func(row []byte) { number.PutUint64(row[at:], value) }, ref, text))
	}
	for at, value := range map[int]byte{43: 0xff, 44: 0xff, 47: 0xff, 48: 3, 49: 4, 50: 9, 51: 1} {
		seeds = append(seeds, body(func(row []byte) { row[at] = value }, ref, text))
	}
	whole := body(same, ref, text)
	return append(seeds, whole[:len(whole)/2], append(whole, "\x01\x0fmem_00000001.md\x00"...))
}

// withFolderSize puts the size of a directory, which file systems have their own
// notion of, before what the seed says of the rest.
func withFolderSize(body []byte, size int64) []byte {
	return append(binary.AppendVarint(nil, size), body...)
}

func requireValid(t *testing.T, s *store.Snapshot) {
	t.Helper()
	last := memory.ID("")
	for _, r := range s.Records() {
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
