package redact_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
	"ltm/packet/redact"
)

// join puts a text together. Its parts are apart so that scanners for credentials leave this
// repository alone.
func join(parts ...string) string { return strings.Join(parts, "") }

// TestStrings goes through the protocol's table of what the labels match. testdata/strings.json has
// a label, or "none", and the parts of a text. The label "credential" is for texts that the
// reference lets pass and package secrets knows.
func TestStrings(t *testing.T) {
	data, err := os.ReadFile("testdata/strings.json")
	require.NoError(t, err)
	var all [][]string
	require.NoError(t, json.Unmarshal(data, &all))
	require.Len(t, all, 84)
	hits := 0
	for _, c := range all {
		label, text := redact.Label(c[0]), join(c[1:]...)
		found := redact.Text(text)
		if label == "none" {
			require.Empty(t, found, text)
			continue
		}
		hits++
		require.Len(t, found, 1, text)
		require.Equal(t, label, found[0].Label, text)
		require.NotEmpty(t, found[0].Kind, text)
	}
	require.Equal(t, 48, hits)
}

func TestText(t *testing.T) {
	aws := join("AKIA", "ABCDEFGH12345678")
	github := join("ghp_", strings.Repeat("A1b2", 9))
	for name, c := range map[string]struct {
		text string
		want []string // label and match
	}{
		"empty":     {"", nil},
		"not UTF-8": {"\xff\xfe", nil},
		"two of one label": {aws + " and " + aws,
			[]string{"aws-key AKIA… (20 characters)", "aws-key AKIA… (20 characters)"}},
		"in their order": {github + " in /home/mira",
			[]string{"gh-token ghp_… (40 characters)", "abs-path /… (10 characters)"}},
		"no credential yet": {aws[:19], nil},
		"zero width":        {aws[:8] + "\u200b" + aws[8:], []string{"aws-key AKIA… (20 characters)"}},
		"wide":              {"ＡＫＩＡ" + aws[4:], []string{"aws-key AKIA… (20 characters)"}},
		"tags":              {aws[:8] + "\U000E0020" + aws[8:], []string{"aws-key AKIA… (20 characters)"}},
		"a wide path":       {"／home／mira", []string{"abs-path /… (10 characters)"}},
		"one of two hidden": {aws[:8] + "\u200b" + aws[8:] + " in /home/mira",
			[]string{"aws-key AKIA… (20 characters)", "abs-path /… (10 characters)"}},
		"a drive":    {`see D:\work\x`, []string{`abs-path D:\… (9 characters)`}},
		"a password": {join("password=", "hunter2hunter2"), []string{"credential … (14 characters)"}},
		"both on one place": {join("token = ", "ghp_", "pJ3kT9vQx2LwZ8rYbN5mD1cF7hG4sA6uE0iO"),
			[]string{"gh-token ghp_… (40 characters)"}},
		"a password in a path": {join("/etc/x?password=", "hunter2hunter2"),
			[]string{"abs-path /… (6 characters)", "credential … (14 characters)"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range redact.Text(c.text) {
				require.Empty(t, f.Path)
				got = append(got, string(f.Label)+" "+f.Match)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// fields sets each text of a packet.
func fields() map[string]func(p *packet.Packet, s string) {
	type (
		decision = packet.Decision
		method   = packet.Method
		attempt  = packet.Attempt
	)
	type set = func(p *packet.Packet, s string)
	from := func(fill func(from *packet.Provenance, s string)) set {
		return func(p *packet.Packet, s string) {
			p.Provenance = &packet.Provenance{}
			fill(p.Provenance, s)
		}
	}
	return map[string]set{
		"/ltm_version":               func(p *packet.Packet, s string) { p.Version = s },
		"/id":                        func(p *packet.Packet, s string) { p.ID = s },
		"/parent_id":                 func(p *packet.Packet, s string) { p.ParentID = s },
		"/created_at":                func(p *packet.Packet, s string) { p.CreatedAt = s },
		"/project/name":              func(p *packet.Packet, s string) { p.Project = &packet.Project{Name: s} },
		"/project/ref":               func(p *packet.Packet, s string) { p.Project = &packet.Project{Ref: s} },
		"/goal":                      func(p *packet.Packet, s string) { p.Goal = s },
		"/success_criteria/0":        func(p *packet.Packet, s string) { p.SuccessCriteria = []string{s} },
		"/constraints/1":             func(p *packet.Packet, s string) { p.Constraints = []string{"", s} },
		"/decisions/0/what":          func(p *packet.Packet, s string) { p.Decisions = []decision{{What: s}} },
		"/decisions/0/why":           func(p *packet.Packet, s string) { p.Decisions = []decision{{Why: s}} },
		"/decisions/0/consequences":  func(p *packet.Packet, s string) { p.Decisions = []decision{{Consequences: s}} },
		"/methods/0/name":            func(p *packet.Packet, s string) { p.Methods = []method{{Name: s}} },
		"/methods/0/when_applicable": func(p *packet.Packet, s string) { p.Methods = []method{{WhenApplicable: s}} },
		"/methods/0/how":             func(p *packet.Packet, s string) { p.Methods = []method{{How: s}} },
		"/attempts/0/tried":          func(p *packet.Packet, s string) { p.Attempts = []attempt{{Tried: s}} },
		"/attempts/0/learned":        func(p *packet.Packet, s string) { p.Attempts = []attempt{{Learned: s}} },
		"/open_questions/0":          func(p *packet.Packet, s string) { p.OpenQuestions = []string{s} },
		"/next_step":                 func(p *packet.Packet, s string) { p.NextStep = s },
		"/tags/0":                    func(p *packet.Packet, s string) { p.Tags = []string{s} },
		"/provenance/author_model":   from(func(f *packet.Provenance, s string) { f.AuthorModel = s }),
		"/provenance/author_human":   from(func(f *packet.Provenance, s string) { f.AuthorHuman = s }),
		"/provenance/source_hash":    from(func(f *packet.Provenance, s string) { f.SourceHash = s }),
		"/provenance/confidence":     from(func(f *packet.Provenance, s string) { f.Confidence = packet.Level(s) }),
	}
}

// TestEveryField puts credentials and a path into each field of a packet.
func TestEveryField(t *testing.T) {
	for path, set := range fields() {
		for _, c := range [][2]string{{"aws-key", join("AKIA", "ABCDEFGH12345678")}, {"abs-path", "/home/mira/x"},
			{"credential", join("password=", "hunter2hunter2")}} {
			p := packet.Packet{Version: packet.Version02, ID: "01K3Q8ZJ6M4T2V9XWBDN7RHE02",
				CreatedAt: "2026-08-28T09:15:30Z", Goal: "a goal", NextStep: "a step"}
			require.Empty(t, redact.Check(&p))
			set(&p, c[1])
			found := redact.Check(&p)
			require.Len(t, found, 1, path)
			require.Equal(t, path, found[0].Path)
			require.Equal(t, redact.Label(c[0]), found[0].Label)
			require.NotContains(t, found[0].String(), c[1])
		}
	}
}

// TestNames: names and tags are of small letters, so that capitals would be hidden.
func TestNames(t *testing.T) {
	key := join("akia", "abcdefgh12345678")
	p := packet.Packet{Goal: key, Tags: []string{"x", key}, Methods: []packet.Method{{Name: key}, {How: key}}}
	var got []string
	for _, f := range redact.Check(&p) {
		got = append(got, f.String())
	}
	require.Equal(t, []string{"/methods/0/name: AWS key, AKIA… (20 characters)",
		"/tags/1: AWS key, AKIA… (20 characters)"}, got)
}

// TestRef: the reference to a project is a repository or a URL, and no path, wherever that leads.
func TestRef(t *testing.T) {
	for ref, local := range map[string]bool{
		"": false, "git.example.org/harbor/tide-gauge@9f86d08": false, "https://git.example.org/home/mira": false,
		"git@git.example.org:harbor/x.git": false, ".github": false,
		"/srv/git/x": true, "~/x": true, "../x": true, "./x": true, "..": true, ".": true, `\\server\share`: true,
		`..\x`: true, "file:///srv/x": true, "FILE:x": true, "C:/x": true,
	} {
		p := packet.Packet{Project: &packet.Project{Ref: ref}}
		require.Equal(t, local, len(redact.Check(&p)) > 0, ref)
	}
}

// TestFindingsQuoteNothing: a finding has at most the first six characters of what it is about.
func TestFindingsQuoteNothing(t *testing.T) {
	data, err := os.ReadFile("testdata/strings.json")
	require.NoError(t, err)
	var all [][]string
	require.NoError(t, json.Unmarshal(data, &all))
	for _, c := range all {
		text := join(c[1:]...)
		for _, f := range redact.Text(text) {
			shown, _, _ := strings.Cut(f.Match, "…")
			require.LessOrEqual(t, len(shown), 6)
			require.Contains(t, text, shown)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		for _, found := range redact.Text(s) {
			require.NotEmpty(t, found.Label)
			require.NotEmpty(t, found.Kind)
			shown, _, _ := strings.Cut(found.Match, "…")
			require.LessOrEqual(t, len(shown), 6)
			for _, c := range []byte(shown) {
				require.True(t, ' ' < c && c < 0x7f, "%q", found.Match)
			}
		}
	})
}
