package store_test

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// FuzzArchiveNotes lets a folder of notes hold files of any two names: an archive
// has a reason that is a word, or none, and a note that is written is read.
func FuzzArchiveNotes(f *testing.F) {
	f.Fuzz(func(t *testing.T, one, other, reason string, seconds int64) {
		fx := newStore(t)
		fx.put("mem_00000001", "makes the folder")
		for _, dir := range []string{"archives", "archive_log"} {
			require.NoError(t, os.Mkdir(fx.path(dir), 0o755))
		}
		fx.write("archives/mem_1a2b3c4d.md", string(fileOf("mem_1a2b3c4d", "t")))
		for _, name := range []string{one, other} {
			if filepath.IsLocal(name) && filepath.Base(name) == name {
				_ = os.WriteFile(filepath.Join(fx.path("archive_log"), name), nil, 0o644) // not every system takes every name
			}
		}
		before, known := fx.archival("mem_1a2b3c4d")
		require.True(t, known)
		requireArchival(t, before)

		wanted := store.Archival{At: time.Unix(seconds, 999).UTC().Truncate(time.Second), Reason: reason}
		require.NoError(t, fx.update(func(tx *store.Tx) error {
			tx.NoteArchived("mem_1a2b3c4d", wanted)
			return nil
		}))
		after, _ := fx.archival("mem_1a2b3c4d")
		requireArchival(t, after)
		require.True(t, after == before || after == wanted, "%v and %v became %v", before, wanted, after)
		if year := wanted.At.Year(); reason == "evicted" && year >= 0 && year <= 9999 && before.Reason == "" {
			require.Equal(t, wanted, after)
		}
	})
}

func requireArchival(t *testing.T, a store.Archival) {
	t.Helper()
	require.Equal(t, time.UTC, a.At.Location())
	require.Zero(t, a.At.Nanosecond())
	require.Regexp(t, "^[a-z]{0,20}$", a.Reason)
}

// FuzzScanCache gives any bytes the head and the checksum of a cache, for one can
// come with a repository: what a scan serves is valid all the same, and so is the
// index that is made of it.
func FuzzScanCache(f *testing.F) {
	f.Fuzz(func(t *testing.T, body []byte) {
		fx := newStore(t)
		fx.now = time.Unix(2e9, 0)
		fx.Store = fx.reopen()
		fx.put("mem_00000001", "one")
		settled := time.Unix(1e9, 1) // what the seeds say of the file and its folder
		require.NoError(t, os.Chtimes(fx.path("memories/mem_00000001.md"), settled, settled))
		require.NoError(t, os.Chtimes(fx.path("memories"), settled, settled))
		info, err := os.Stat(fx.path("memories"))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(fx.path(".cache"), 0o755))
		body = withFolderSize(body, info.Size())
		sum := binary.LittleEndian.AppendUint32([]byte("ltm-scan-3\n"), crc32.ChecksumIEEE(body))
		fx.write(".cache/memories.bin", string(sum)+string(body))

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
		require.NoError(t, fx.update(func(tx *store.Tx) error {
			tx.Rebuild()
			return nil
		}))
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
		if w := r.Work; w != nil {
			require.GreaterOrEqual(t, min(w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures), 0)
			require.Contains(t, []string{"", memory.SourceTranscript, memory.SourceHooks}, w.Source)
		}
	}
}

// FuzzGitFiles lets the small files of git that lead from a work tree to its
// clone hold anything; TOP in them stands for the folder of both. Nothing outside
// of the store changes, and without a setting nothing is shared.
func FuzzGitFiles(f *testing.F) {
	f.Fuzz(func(t *testing.T, link, back, common string) {
		top := t.TempDir()
		put := func(name, text string) {
			path := filepath.Join(top, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "TOP", top)), 0o644))
		}
		put("tree/.git", link)
		put("clone/.git/worktrees/tree/gitdir", back)
		put("clone/.git/worktrees/tree/commondir", common)
		dir := filepath.Join(top, "tree", ".claude", "ltm")
		fx := &fixture{t: t, dir: dir, now: time.Now().Add(time.Hour)}
		fx.Store = fx.reopen()
		fx.put("mem_00000001", "one")
		outside := filesUnder(t, top, dir)
		err := fx.update(func(tx *store.Tx) error { return tx.ShareWorktrees(true) })
		shared := false
		require.NoError(t, fx.View(func(v *store.View) error {
			shared = v.SharedWorktrees()
			return nil
		}))
		require.Equal(t, err == nil, shared, "%v", err)
		if err != nil {
			require.NotEmpty(t, memory.CodeOf(err))
			require.Equal(t, outside, filesUnder(t, top, dir))
		} else {
			require.FileExists(t, filepath.Join(top, "tree", ".git"), "the link stays")
			require.NotEmpty(t, filesUnder(t, filepath.Join(top, "clone"), dir))
		}
		require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, fx.reopen()))
	})
}

// filesUnder lists what stands in a folder, but for a part of it.
func filesUnder(t *testing.T, dir, without string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if path == without {
			return filepath.SkipDir
		}
		found = append(found, path)
		return err
	}))
	return found
}

// FuzzGitIndex lets git's index hold anything. A state.json that git tracks says
// nothing of this clone, and of an index that cannot be read in full nothing is
// believed.
func FuzzGitIndex(f *testing.F) {
	f.Fuzz(func(t *testing.T, index []byte) {
		top := t.TempDir()
		fx := &fixture{t: t, dir: filepath.Join(top, ".claude", "ltm"), now: time.Now().Add(time.Hour)}
		fx.Store = fx.reopen()
		require.NoError(t, os.MkdirAll(fx.path("memories"), 0o755))
		require.NoError(t, os.Mkdir(filepath.Join(top, ".git"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(top, ".git", "index"), index, 0o644))
		fx.write("state.json", `{"version":1,"session_count":3}`)
		fx.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "one")))
		require.NoError(t, fx.View(func(v *store.View) error {
			trust, err := v.Trust()
			if trust.Knows("mem_00000001") {
				require.GreaterOrEqual(t, len(index), 12)
				require.Equal(t, "DIRC", string(index[:4]))
				require.Contains(t, []uint32{2, 3}, binary.BigEndian.Uint32(index[4:]))
				require.NotContains(t, strings.ToLower(string(index)), ".claude/ltm/state.json\x00")
			}
			return err
		}))
	})
}
