package secrets_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// blank matches what a line of testdata/fresh is filled at: <b62:40> is 40 characters of that alphabet. So no file of
// the repository has what scanners refuse, and no value is anybody's.
var blank = regexp.MustCompile(`<([a-zA-Z0-9]+):?([0-9]*)>`)

// filled returns a line with made up values, the same ones each time.
func filled(line string, n uint64) string {
	random := rand.New(rand.NewPCG(n, 20260901))
	pick := func(digits string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(digits[random.IntN(len(digits))])
		}
		return b.String()
	}
	const lower, upper, decimal = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	alphabets := map[string]string{"b62": decimal + upper + lower, "b64": upper + lower + decimal + "+/",
		"b64url": upper + lower + decimal + "-_", "hex": decimal + "abcdef", "HEX": decimal + "ABCDEF", "dig": decimal,
		"up": upper + decimal, "b32": upper + "234567", "abc": upper + lower, "nix": "0123456789abcdfghijklmnpqrsvwxyz",
		"age": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "ulid": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
		"b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"}
	return blank.ReplaceAllStringFunc(line, func(mark string) string {
		found := blank.FindStringSubmatch(mark)
		hex := func(n int) string { return pick(alphabets["hex"], n) }
		switch found[1] {
		case "zwsp":
			return "\u200b"
		case "uuid":
			return fmt.Sprintf("%s-%s-4%s-a%s-%s", hex(8), hex(4), hex(3), hex(3), hex(12))
		case "mac":
			return hex(2) + ":" + hex(2) + ":" + hex(2)
		}
		size, err := strconv.Atoi(found[2])
		if err != nil || alphabets[found[1]] == "" {
			return mark // a placeholder of the line's own
		}
		return pick(alphabets[found[1]], size)
	})
}

// TestFreshSets holds the rules to lines by an author who had not read them: 100 with a credential, and 100 that only
// look like it. A line counts once.
func TestFreshSets(t *testing.T) {
	found := map[string][]string{} // lines in which something is found, by file
	missed := map[string][]string{}
	for _, name := range []string{"with.txt", "without.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "fresh", name))
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		require.Len(t, lines, 100, name)
		for i, line := range lines {
			into := missed
			if len(secrets.Find(filled(line, uint64(i)))) > 0 {
				into = found
			}
			into[name] = append(into[name], line)
		}
	}
	right, wrong := len(found["with.txt"]), len(found["without.txt"])
	recall, precision := float64(right)/100, float64(right)/float64(right+wrong)
	t.Logf("recall %.3f, precision %.3f", recall, precision)
	require.GreaterOrEqual(t, recall, minRecall, "missed:\n%s", strings.Join(missed["with.txt"], "\n"))
	require.GreaterOrEqual(t, precision, minPrecision, "found wrongly:\n%s", strings.Join(found["without.txt"], "\n"))
}
