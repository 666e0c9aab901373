package scan_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store/scan"
)

// TestWhatACacheClaimsIsChecked has caches with a good checksum and one value that no scan finds: the files are read.
// What only a cache can have, the old topic, shows that the cache counts if nothing is wrong with it.
func TestWhatACacheClaimsIsChecked(t *testing.T) {
	f := newFolder(t)
	const id, head = "mem_00000001", "difficulty: 0.5\ntags: [tag]\nkind: ARCH\nconfidence: 0.25\n" +
		"work: {calls: 3, source: hooks}\naliases: [alias]\nsupersedes: [mem_00000004]\nagent: a\ncommit: 1234567\n" +
		"origin: {system: s, id: i}\nsignature: v1:a:b\nrefs: [a/b.go, 'c.go:3-5']\n"
	write := func(topic string) {
		f.seen = time.Unix(1e9, 2)
		require.NoError(t, f.root.WriteFile(id+".md", []byte("---\ntopic: "+topic+"\n"+head+"---\nx\n"), 0o644))
		require.NoError(t, f.root.Chtimes(id+".md", time.Unix(1e9, 1), time.Unix(1e9, 1)))
		require.NoError(t, f.root.Chtimes(".", f.seen, f.seen))
	}
	write("one")
	f.process()(false)
	write("two")
	whole, err := f.caches.ReadFile("cache")
	require.NoError(t, err)
	const header = len("ltm-scan") + 1
	topic := func(body []byte) string {
		cache := append(cachefile.Begin(bytes.Clone(whole[:header])), body...)
		cachefile.End(cache, header)
		require.NoError(t, f.caches.WriteFile("cache", cache, 0o644))
		got, _ := f.process()(true)
		return got[memory.ID(id)]
	}
	body := whole[header+8:]
	require.Equal(t, "one", topic(body))

	float := func(f float64) string { return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))) }
	number := func(n int64) string { return string(binary.AppendVarint(nil, n)) }
	text := func(old, now string) func([]byte) []byte {
		return func(b []byte) []byte {
			require.True(t, bytes.Contains(b, []byte(old)), old)
			return bytes.Replace(b, []byte(old), []byte(now), 1)
		}
	}
	for name, change := range map[string]func([]byte) []byte{
		"difficulty nan":  text(float(0.5), float(math.NaN())),
		"difficulty 2":    text(float(0.5), float(2)),
		"difficulty -1":   text(float(0.5), float(-1)),
		"year":            text(number(time.Time{}.Unix()), number(1<<60)),
		"phase":           text(number(0)+float(0.5), number(7)+float(0.5)),
		"stub":            text(number(0)+float(0.5), number(200)+float(0.5)),
		"kind":            text(string(memory.Architectural), strings.Repeat("x", len(memory.Architectural))),
		"id":              text(id, "mem_0000000z"),
		"topic of lines":  text("one", "o\ne"),
		"topic not text":  text("one", "o\xffe"),
		"tag not text":    text("tag", "t\xffg"),
		"source":          text("hooks", "other"),
		"alias":           text("alias", "al\nas"),
		"link":            text("mem_00000004", "mem_0000000y"),
		"commit":          text("1234567", "123456z"),
		"signature":       text("v1:a:b", "v1:a\nb"),
		"path outside":    text("a/b.go", "../b.g"),
		"path of git":     text("a/b.go", ".git/x"),
		"path not text":   text("a/b.go", "a/\xff.go"),
		"lines":           text("c.go\x00\x00\x00"+number(3)+number(5), "c.go\x00\x00\x00"+number(5)+number(3)),
		"too many refs":   text(number(2)+"\x06a/b.go", number(63)+"\x06a/b.go"),
		"a list too long": text(number(2)+"\x06a/b.go", number(1<<40)+"\x06a/b.go"),
		"a list below 0":  text(number(2)+"\x06a/b.go", number(-2)+"\x06a/b.go"),
		"cut off":         func(b []byte) []byte { return b[:len(b)-1] },
		"more than there": func(b []byte) []byte { return append(b, 0) },
	} {
		require.Equal(t, "two", topic(change(bytes.Clone(body))), name)
	}
	require.Equal(t, "one", topic(body))
}

// TestLongHeadersAreDecodedUpToALimit has more than may be decoded: the first ones are. The next process finds the
// verdict in the cache, and files have their turn once others are shorter.
func TestLongHeadersAreDecodedUpToALimit(t *testing.T) {
	f := newFolder(t)
	const files, served = 250, 83 // of 50,512 bytes each, and 4 MiB
	write := func(i, long int) {
		name := fmt.Sprintf("mem_%08x.md", i)
		text := "---\ntopic: t\nz: "
		text += strings.Repeat("x", max(0, long-len(text))) + "\n---\nx\n"
		require.NoError(t, f.root.WriteFile(name, []byte(text), 0o644))
		require.NoError(t, f.root.Chtimes(name, time.Unix(1e9, int64(long)), time.Unix(1e9, int64(long))))
		require.NoError(t, f.root.Chtimes(".", f.seen, f.seen))
	}
	for i := range files {
		write(i, 50_512)
	}
	count := func(quick bool) (n int) {
		got, _ := f.process()(quick)
		require.Len(t, got, files)
		for n < files && got[memory.ID(fmt.Sprintf("mem_%08x", n))] == "t" {
			n++
		}
		for i := n; i < files; i++ {
			require.Equal(t, scan.Crowded, got[memory.ID(fmt.Sprintf("mem_%08x.md", i))])
		}
		return n
	}
	require.Equal(t, served, count(false))
	require.Equal(t, served, count(true))
	for i := range files {
		write(i, 600)
	}
	require.Equal(t, files, count(false))
	require.Equal(t, files, count(true))
}

// TestLinksCountUpToALimit has more links than count: those of the first files do. The next process finds the verdict
// in the cache, a memory without links is as any other, and files have their turn once others have fewer links.
func TestLinksCountUpToALimit(t *testing.T) {
	f := newFolder(t)
	const files, each = 800, 130
	write := func(i, links int) {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_%08x", i)), Topic: "t", Content: "text"}
		for to := range links {
			by := []*[]memory.ID{&m.Supersedes, &m.Disputes, &m.Related}[to%3]
			*by = append(*by, memory.ID(fmt.Sprintf("mem_%08x", to)))
		}
		name := m.ID.File()
		require.NoError(t, f.root.WriteFile(name, memfile.Format(m), 0o644))
		require.NoError(t, f.root.Chtimes(name, time.Unix(1e9, int64(links)), time.Unix(1e9, int64(links))))
		require.NoError(t, f.root.Chtimes(".", f.seen, f.seen))
	}
	for i := range files {
		write(i, each)
	}
	count := func(quick bool) (n int) {
		snapshot, _, err := scan.Open("cache", f.caches).Snapshot(scan.Look{Root: f.root, Quick: quick, Now: f.now,
			Caches: func(bool) *os.Root { return f.caches }})
		require.NoError(t, err)
		require.Empty(t, snapshot.Problems)
		for i, m := range snapshot.Records {
			links := len(m.Supersedes) + len(m.Disputes) + len(m.Related)
			if n == i && m.LinksLeft == 0 {
				n++
			} else {
				require.Equal(t, each, m.LinksLeft)
				require.Zero(t, links)
			}
		}
		return n
	}
	require.Equal(t, scan.MaxLinks/each, count(false))
	require.Equal(t, scan.MaxLinks/each, count(true))
	for i := range files / 2 {
		write(i, 5)
	}
	require.Equal(t, files, count(false))
	require.Equal(t, files, count(true))
}

// checks is a context that ends after it was asked so often.
type checks struct {
	context.Context
	left atomic.Int64
}

func (c *checks) Err() error {
	if c.left.Add(-1) >= 0 {
		return nil
	}
	return context.DeadlineExceeded
}

// TestALookThatEndsKeepsWhatItRead ends in the middle. Then the files change without their stamps, which shows what
// the next process does not read again.
func TestALookThatEndsKeepsWhatItRead(t *testing.T) {
	f := newFolder(t)
	const files, read = 300, 100
	write := func(topic string) {
		for i := range files {
			f.write(fmt.Sprintf("mem_%08x", i), topic)
		}
	}
	write("old")
	ends := func(after int64) error {
		ctx := &checks{Context: context.Background()}
		ctx.left.Store(after)
		_, _, err := scan.Open("cache", f.caches).Snapshot(scan.Look{Root: f.root, Quick: true, Now: f.now,
			Caches: func(bool) *os.Root { return f.caches }, Context: ctx})
		return err
	}
	require.ErrorIs(t, ends(0), context.DeadlineExceeded)
	require.ErrorIs(t, ends(read), context.DeadlineExceeded)
	require.ErrorIs(t, ends(0), context.DeadlineExceeded, "which forgets nothing")
	write("new")
	got, _ := f.process()(true)
	count := map[string]int{}
	for _, topic := range got {
		count[topic]++
	}
	require.Equal(t, map[string]int{"old": read, "new": files - read}, count)
	require.NoError(t, ends(0), "all of it is in the cache")
}
