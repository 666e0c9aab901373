package gitstore

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/achievements"
	"ltm/engine/locate"
	"ltm/internal/emulated"
	"ltm/store"
)

// repository makes a repository from a stream of git fast-import.
func repository(t testing.TB, stream io.Reader, settings ...string) Store {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	dir := t.TempDir()
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	git := func(in io.Reader, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, environ, in
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git(nil, "init", "-q", "-b", "main")
	git(nil, "config", "user.email", "t@example.com")
	for i := 0; i+1 < len(settings); i += 2 {
		git(nil, "config", settings[i], settings[i+1])
	}
	if stream != nil {
		git(stream, "fast-import", "--quiet")
	}
	var p locate.Place
	p.Store = filepath.Join(dir, filepath.FromSlash(store.Folder))
	return Store{Place: p, Environ: environ}
}

// commit writes a commit of one file to a stream.
func commit(w io.Writer, n int, author, message, content string) {
	at := fmt.Sprintf("<%s> %d +0000", author, 1767000000+n)
	fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\nauthor t %s\ncommitter t %s\n", n, at, at)
	fmt.Fprintf(w, "data %d\n%s\n", len(message),
		message)
	if n > 1 {
		fmt.Fprintf(w, "from :%d\n", n-1)
	}
	fmt.Fprintf(w, "M 100644 inline f%d\ndata %d\n%s\n", n%100, len(content), content)
}

// TestHostileHistory reads subjects that no person writes.
func TestHostileHistory(t *testing.T) {
	const own = "t@example.com"
	huge := strings.Repeat("x", 10<<20)
	var b bytes.Buffer
	messages := []string{"feat: a | b", "feat: " + huge, "feat: \xff\xfe\x1b[31m", "feat: two\nlines\n\nbody", "",
		"\n\n", "commit 0123456789abcdef0123456789abcdef01234567", "feat: \u202ereversed", strings.Repeat("\xff", 9000)}
	for i, message := range messages {
		commit(&b, i+1, own, message, message[:min(len(message), 100)]+fmt.Sprint(i))
	}
	commit(&b, len(messages)+1, "O@example.com", "feat: of others", "x")
	commit(&b, len(messages)+2, "T@EXAMPLE.com", "feat: mine in capitals", "y")
	b.WriteString("tag v1.0.0\nfrom :1\ntagger t <t> 1767000000 +0000\ndata 3\nbig\n" +
		"reset refs/tags/light,tag\nfrom :1\n\n")
	stream := bytes.Clone(b.Bytes())
	s := repository(t, &b, "log.showSignature", "true", "diff.noprefix", "true", "format.pretty", "oneline",
		"log.decorate", "full", "log.mailmap", "true", "log.date", "relative")
	commits, n, err := s.History(t.Context(), Span{})
	require.NoError(t, err)
	require.Len(t, commits, len(messages)+1)
	require.Equal(t, len(messages)+2, n, "with that of another author")
	require.Equal(t, "t <T@EXAMPLE.com>", commits[0].Author)
	require.Equal(t, "feat: mine in capitals", commits[0].Subject)
	require.Equal(t, []string{"light,tag", "v1.0.0"}, slices.Sorted(slices.Values(commits[len(commits)-1].Tags)))
	for _, c := range commits {
		require.Len(t, c.Hash, 40)
		require.Less(t, len(c.Subject), 10_000, "git cuts off valid text alone")
		require.False(t, c.At.IsZero())
	}
	found := achievements.Find(commits)
	require.Len(t, found, 6, "%v", found)
	all, n, err := s.History(t.Context(), Span{Everyone: true})
	require.NoError(t, err)
	require.Len(t, all, len(messages)+2)
	require.Len(t, all, n)
	recent, _, err := s.History(t.Context(), Span{Since: time.Unix(1767000000+int64(len(messages))+2, 0)})
	require.NoError(t, err)
	require.Len(t, recent, 1)

	var hashes []string
	for _, c := range commits {
		hashes = append(hashes, c.Hash)
	}
	patches, err := s.PatchIDs(t.Context(), hashes)
	require.NoError(t, err)
	require.Len(t, patches, len(hashes))
	for _, c := range commits[:3] {
		one, err := s.PatchIDs(t.Context(), []string{c.Hash})
		require.NoError(t, err)
		require.Equal(t, patches[c.Hash], one[c.Hash])
	}
	plain := repository(t, bytes.NewReader(stream))
	other, err := plain.PatchIDs(t.Context(), hashes)
	require.NoError(t, err)
	require.Equal(t, patches, other, "the person's settings of diff change nothing")
}

// TestLargePatches has a commit whose change is more than git may print.
func TestLargePatches(t *testing.T) {
	var b bytes.Buffer
	commit(&b, 1, "t@example.com", "feat: small", "a\n")
	commit(&b, 2, "t@example.com", "feat: huge", strings.Repeat("a line of a huge file\n", 4<<20))
	commit(&b, 3, "t@example.com", "feat: small again", "b\n")
	s := repository(t, &b)
	commits, _, err := s.History(t.Context(), Span{})
	require.NoError(t, err)
	require.Len(t, commits, 3)
	patches, err := s.PatchIDs(t.Context(), []string{commits[0].Hash, commits[1].Hash, commits[2].Hash,
		strings.Repeat("0", 40)})
	require.NoError(t, err)
	require.NotEmpty(t, patches[commits[0].Hash])
	require.Empty(t, patches[commits[1].Hash])
	require.NotEmpty(t, patches[commits[2].Hash])
}

func TestNoHistory(t *testing.T) {
	s := repository(t, nil)
	commits, _, err := s.History(t.Context(), Span{})
	require.NoError(t, err)
	require.Empty(t, commits)
	s = repository(t, nil, "user.email", " ")
	_, _, err = s.History(t.Context(), Span{})
	require.ErrorIs(t, err, ErrNoEmail)
	patches, err := s.PatchIDs(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, patches)
}

// BenchmarkHistory reads 100,000 commits.
func BenchmarkHistory(b *testing.B) {
	r, w := io.Pipe()
	go func() {
		for n := 1; n <= maxCommits; n++ {
			commit(w, n, "t@example.com", fmt.Sprintf("fix: number %d of many in a long history", n), fmt.Sprint(n))
		}
		w.Close()
	}()
	s := repository(b, r)
	for b.Loop() {
		commits, _, err := s.History(b.Context(), Span{})
		require.NoError(b, err)
		require.Len(b, commits, maxCommits)
	}
}

func TestParseHistory(t *testing.T) {
	for _, out := range []string{"", "aa\x00n\x00b\x00c\x00cut off"} {
		commits, n := parseHistory([]byte(out), false, "")
		require.Empty(t, commits)
		require.Zero(t, n)
	}
	commits, n := parseHistory([]byte("aa\x00n\x00e\x00no time\x00s   \x00b \x00"), true, "")
	require.Equal(t, []achievements.Commit{{Hash: "aa", Author: "n <e>", Subject: "s", Body: "b", Merge: true}},
		commits)
	require.Equal(t, 1, n)
}
