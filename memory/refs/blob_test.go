package refs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/memory/refs"
)

// TestConvert compares each id with that of git hash-object, for both hashes.
func TestConvert(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	contents := map[string]string{"empty": "", "lf": "a\nb\n", "crlf": "a\r\nb\r\n", "mixed": "a\r\nb\nc\r\n",
		"cr": "a\rb\r\n", "nul": "a\x00\r\n", "odd": strings.Repeat("\x01", 40) + "\r\n", "eof": "a\r\n\x1a",
		"text": strings.Repeat("x", 300) + "\x01\x02\r\n", "utf8": "ü\r\n"}
	rules := map[string]refs.Attributes{"": {},
		"text": {Text: "set"}, "-text": {Text: "unset"}, "text=auto": {Text: "auto"},
		"eol=lf": {EOL: "lf"}, "eol=crlf": {EOL: "crlf"}, "text eol=crlf": {Text: "set", EOL: "crlf"},
		"text=auto eol=lf": {Text: "auto", EOL: "lf"}, "-text eol=lf": {Text: "unset", EOL: "lf"}}
	for _, hash := range []string{"sha1", "sha256"} {
		for _, auto := range []string{"false", "input", "true"} {
			for rule, a := range rules {
				dir := t.TempDir()
				git := func(args ...string) string {
					cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.autocrlf=" + auto,
						"-c", "core.safecrlf=false"}, args...)...)
					cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
					out, err := cmd.Output()
					require.NoError(t, err)
					return strings.TrimSpace(string(out))
				}
				git("init", "-q", "--object-format="+hash)
				require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* "+rule+"\n"), 0o600))
				var names []string
				for name, text := range contents {
					names = append(names, name)
					require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				}
				a.AutoCRLF = auto
				ids := strings.Fields(git(append([]string{"hash-object"}, names...)...))
				for i, name := range names {
					kept, exact := refs.Convert([]byte(contents[name]), a)
					require.True(t, exact)
					require.Equal(t, ids[i], refs.Blob(kept, len(ids[i])), "%s with %q and %s", name, rule, auto)
					require.True(t, refs.IsBlob([]byte(contents[name]), ids[i]), name)
				}
			}
		}
	}
}

func TestPointersOfLFS(t *testing.T) {
	content := []byte("large\n")
	const pointer = "version https://git-lfs.github.com/spec/v1\n" +
		"oid sha256:9bfce334a37bd1bc1d36b0370195b31fe9a9389dd43d0873891a3544ef1140a1\nsize 6\n"
	kept, exact := refs.Convert(content, refs.Attributes{Filter: "lfs"})
	require.True(t, exact)
	require.Equal(t, pointer, string(kept))
	id := refs.Blob(kept, 40)
	require.True(t, refs.IsBlob(content, id))
	require.True(t, refs.IsBlob(kept, id), "as it is before it is fetched")
	again, exact := refs.Convert(kept, refs.Attributes{Filter: "lfs"})
	require.True(t, exact)
	require.Equal(t, kept, again)
	require.False(t, refs.IsBlob([]byte("other\n"), id))
	_, exact = refs.Convert(content, refs.Attributes{Filter: "git-crypt"})
	require.False(t, exact)
	_, exact = refs.Convert(content, refs.Attributes{Other: true})
	require.False(t, exact)
}
