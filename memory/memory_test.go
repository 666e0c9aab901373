package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestParseID(t *testing.T) {
	for _, good := range []string{"mem_1a2b3c4d", " MEM_1A2B3C4D ", "1a2b3c4d", "mem_1a2b3c4d.md"} {
		id, err := memory.ParseID(good)
		require.NoError(t, err)
		require.Equal(t, memory.ID("mem_1a2b3c4d"), id)
	}
	for _, bad := range []string{"", "../../x", "mem_", "mem_1a2b3c4g", "mem_1a2b3c4d5", "mem_1a2b3c4d/..", "mem_1a2b3c4d\x00"} {
		_, err := memory.ParseID(bad)
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err), "%q", bad)
	}
}

func TestNormalizeTags(t *testing.T) {
	tags, err := memory.NormalizeTags([]string{" Big  Data ", "#go", "big data", "", "IMPORTANCE:Critical"})
	require.NoError(t, err)
	require.Equal(t, []string{"big-data", "go", "importance:critical"}, tags)
	_, err = memory.NormalizeTags([]string{"importance:urgent"})
	require.ErrorContains(t, err, "critical, important, normal, low")
	_, err = memory.NormalizeTags(make21())
	require.ErrorContains(t, err, "at most 20 tags")
	_, err = memory.NormalizeTags([]string{strings.Repeat("x", 51)})
	require.ErrorContains(t, err, "at most 50 characters")
}

func make21() []string {
	tags := make([]string, 21)
	for i := range tags {
		tags[i] = strings.Repeat("t", i+1)
	}
	return tags
}

func TestImportance(t *testing.T) {
	require.Equal(t, memory.Critical, memory.ImportanceOf([]string{"importance:low", "importance:critical"}))
	require.Equal(t, memory.Normal, memory.ImportanceOf([]string{"critical"}))
	require.Equal(t, []string{"a", "importance:low"}, memory.WithImportance([]string{"importance:critical", "a"}, memory.Low))
	require.Equal(t, []string{"a"}, memory.WithImportance([]string{"importance:critical", "a"}, memory.Normal))
}

func TestAutoTagsMatchWholeWords(t *testing.T) {
	require.Equal(t, []string{"go", "postgres"}, memory.AutoTags("Google's pgx needs Postgres; see store.go"))
	require.Empty(t, memory.AutoTags("google mango cargo-cult testament"))
	require.Equal(t, []string{"cpp", "javascript", "typescript"}, memory.AutoTags("C++ and Node.js, `src/app.tsx`."))
	require.Len(t, memory.AutoTags("python kotlin php scala haskell css html sql redis kafka nats grpc"), 10)
}

// TestAutoTagsAreTechnicalInContext has names of technologies that are English words.
func TestAutoTagsAreTechnicalInContext(t *testing.T) {
	for _, prose := range []string{
		"Let us go and react to the helm of the ship",
		"Go home. React quickly. Test it twice, in jest.",
		"Rust on the rails of a cargo train; the yarn got angular.",
		"A swift ruby, an elixir in a flask: they bash on.",
		"The lambda of the half-life, the maven of taste, a cup of java.",
		"Open the windows\n- Go on\n- Rust never sleeps",
		"# Go Back And React",
	} {
		require.Empty(t, memory.AutoTags(prose), prose)
	}
	for text, want := range map[string][]string{
		"Let us go and react to the helm of the cache":      {"cache"},
		"We rewrote it in Go and React":                     {"go", "react"},
		"go vet fails, and so does cargo clippy":            {"cargo", "go", "rust"},
		"run `go` twice":                                    {"go"},
		"```\nhelm upgrade\n```\nand then we go on":         {"helm"},
		"go 1.22 breaks it, react v18 too":                  {"go", "react"},
		"a flaky test on windows":                           {"testing", "windows"},
		"the react component is rendered by rails server":   {"rails", "react"},
		"an aws lambda in java":                             {"aws", "lambda"},
		"the bash script passes; the helm chart is missing": {"bash", "helm"},
	} {
		require.Equal(t, want, memory.AutoTags(text), text)
	}
}
