package achievements_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/engine/achievements"
	"ltm/memory"
)

const hash = "0123456789abcdef0123456789abcdef01234567"

func TestSubjects(t *testing.T) {
	for subject, want := range map[string]string{ // "": none
		// conventional commits
		"feat: add login feature":               "feature low",
		"feat(login): remember the last person": "feature low",
		"FEAT: shout":                           "feature low",
		"feat(api)!: drop the old routes":       "breaking change normal",
		"fix!: refuse empty names":              "breaking change normal",
		"refactor(core)!: rename everything":    "breaking change normal",
		"perf: read each file once":             "performance low",
		"fix: critical crash at start":          "",
		"fix(db): resolve a deadlock":           "",
		"docs: complete the reference":          "",
		"chore(release): 1.2.0":                 "",
		"test: 120 tests pass":                  "",
		"revert!: feat: add login":              "",
		"wip: feature":                          "",
		"feat:":                                 "",
		"feat:no space":                         "",
		"feat without a colon":                  "",
		"engine: implement decay":               "", // a package, and not a type; its words do not begin the subject

		// squash merges
		"feat: add login (#12)":                  "feature low",
		"fix: a crash at start (#12)":            "",
		"docs(api): routes (#12)":                "",
		"feat(api)!: drop the old routes (#12)":  "breaking change normal",
		"Implement the parser (#12)":             "words low",
		"Add export command (#12) (#13)":         "words low",
		"Release v1.2.0 (!12)":                   "words low",
		"Remember the last person (#12)":         "", // or a commit that names an issue
		"Merged PR 12: Remember the last person": "pull request low",
		"Merged PR 12: Implement the parser":     "pull request low",
		"Merged PR 12: feat: add login":          "feature low",
		"Merged PR 12: chore: tidy":              "",
		"Revert \"feat: add login (#12)\" (#13)": "",
		"(#12)":                                  "",
		"See #12":                                "",
		"feat: add login (#12) and more":         "feature low",

		// dependency bumps
		"feat(deps): update module golang.org/x/net to v0.9 (#12)": "",
		"feat(deps)!: update react to v19":                         "",
		"feat(shop/deps): use vitest":                              "",
		"feat(deps-dev): use vitest":                               "",
		"feat(deploy): roll out in steps":                          "feature low",
		"feat: bump lodash from 4.17.20 to 4.17.21 (#12)":          "",
		"feat: update all dependencies":                            "",
		"build(deps)!: bump node from 20 to 22":                    "",
		"Bump lodash from 4.17.20 to 4.17.21":                      "",
		"feat: upgrade the cart to two currencies":                 "feature low",
		"feat: update totals from 9 to 17 (#12)":                   "feature low",
		"feat: update the API to v2":                               "feature low",

		// words at the start
		"Implement the parser":                 "words low",
		"implemented retries | and a pipe":     "words low",
		"Complete migration to Postgres":       "words low",
		"Finish the import":                    "words low",
		"Shipped the new page":                 "words low",
		"Migrate from Redis to Postgres":       "words low",
		"Release v1.2.0":                       "words low",
		"v1.2.0":                               "words low",
		"1.2":                                  "words low",
		"Launch 2.0":                           "words low",
		"Add export command":                   "words low",
		"Build billing module":                 "words low",
		"Add tests for the export command":     "",
		"Add test":                             "",
		"Add a space to the feature page":      "",
		"Add /health":                          "",
		"Add missing comma":                    "",
		"Release the lock on errors":           "",
		"Release":                              "",
		"Launch the editor in a terminal":      "",
		"Implement":                            "",
		"Implementation notes":                 "",
		"Complementary colors":                 "",
		"Finishing touches":                    "",
		"Shipping address is optional":         "",
		"Update 10.0.0.1 address":              "",
		"10.0.0.1 is the address":              "",
		"Not implemented yet":                  "",
		"Abandoned the experiment":             "",
		"Whenever it fails, always green":      "",
		"This is not important":                "",
		"Likely a rapid monkey with mustard":   "",
		"Nevertheless, vitality of formalin":   "",
		"Fix critical bug":                     "",
		"Resolve conflicts":                    "",
		"Refactor the milestone page":          "",
		"42 tests passing, 100% coverage":      "",
		"fixup! feat: add login":               "",
		"squash! Implement the parser":         "",
		"WIP implement the parser":             "",
		"[skip ci] Release v1.2.0":             "",
		"Revert \"Implement the parser\"":      "",
		"Merge branch 'main' into feat":        "",
		"Merge pull request #1 from a/b":       "", // not a merge
		"":                                     "",
		" ":                                    "",
		"\x00\x01":                             "",
		"\xff\xfe":                             "",
		"Implement\x1b[31m the \u202eparser\n": "words low",
	} {
		found := achievements.Find([]achievements.Commit{{Hash: hash, Subject: subject}})
		got := ""
		for _, a := range found {
			got += a.Why + " " + string(a.Importance)
			_, err := memory.NormalizeTopic(a.Topic)
			require.NoError(t, err, "%q", subject)
			require.NotContains(t, a.Topic, "\x1b")
			require.NotContains(t, a.Topic, "\u202e")
		}
		require.Equal(t, want, got, "%q", subject)
	}
}

func TestMergesOfPullRequests(t *testing.T) {
	const github, gitlab = "Merge pull request #12 from acme/login", "Merge branch 'login' into 'main'"
	for _, tt := range []struct{ subject, body, topic, want string }{
		{github, "Remember the last person\n\nMore.", "Remember the last person", "pull request low"},
		{github, "\r\n\n  Remember the last person", "Remember the last person", "pull request low"},
		{github, "", "", ""},
		{github, "feat: add login", "feat: add login", "feature low"},
		{github, "Feat(cart)!: drop it (#12)", "Feat(cart)!: drop it", "breaking change normal"},
		{github, "fix: a crash", "", ""},
		{github, "chore(deps): bump x from 1 to 2", "", ""},
		{github, "Fix a crash", "", ""},
		{github, "Implement the cart", "Implement the cart", "pull request low"},
		{gitlab, "Remember the last person\n\nSee merge request acme/shop!12", "Remember the last person",
			"pull request low"},
		{gitlab, "Resolve \"the crash\"\n\nSee merge request acme/shop!12", "", ""},
		{gitlab, "See merge request acme/shop!12", "", ""},
		{"Merged in login (pull request #12)", "Remember the last person", "Remember the last person",
			"pull request low"},
		{"Merged PR 12: Remember the last person", "", "Remember the last person", "pull request low"},
		{"Merge branch 'main' of example.com:acme/shop", "Conflicts:\n", "", ""},
		{"Merge remote-tracking branch 'origin/main'", "x", "", ""},
		{"feat: an evil merge", "x", "", ""},
		{"Merge pull request #12 from acme/dependabot/npm_and_yarn/x-2", "Security: a new x", "", ""},
		{"Merge pull request #12 from acme/renovate/node-22", "feat: Node 22", "", ""},
		{"Merge branch 'renovate/node-22' into 'main'", "feat: Node 22", "", ""},
		{"Merged in dependabot/x (pull request #12)", "feat: x", "", ""},
		{"Merge pull request #12 from acme/release-please--branches--main", "Remember", "", ""},
		{"Merge pull request #12 from acme/changeset-release/main", "Version Packages", "", ""},
		{"Merge pull request #12 from acme/robot-arm", "Move the arm", "Move the arm", "pull request low"},
		{github, strings.Repeat("x", 10<<20), strings.Repeat("x", 199) + "…", "pull request low"},
	} {
		found := achievements.Find([]achievements.Commit{{Hash: hash, Subject: tt.subject, Body: tt.body, Merge: true}})
		if tt.want == "" {
			require.Empty(t, found, "%s: %s", tt.subject, tt.body)
			continue
		}
		require.Len(t, found, 1, "%s: %s", tt.subject, tt.body)
		require.Equal(t, tt.topic, found[0].Topic)
		require.Equal(t, tt.want, found[0].Why+" "+string(found[0].Importance))
	}
	squashed := achievements.Find([]achievements.Commit{{Hash: hash, Subject: "feat: add login (#12) (!13)"}})
	require.Equal(t, "feat: add login", squashed[0].Topic, "as its merge would have it")
}

// TestTitlesOfUpkeep judges titles of merged pull requests.
func TestTitlesOfUpkeep(t *testing.T) {
	for title, want := range map[string]string{
		"[shop] Remember the last person":                       "pull request",
		"net/http: remember the last person":                    "pull request",
		"cart: remember the last person":                        "pull request",
		"Update the cart in two steps":                          "pull request",
		"Circuit breaker for v2":                                "pull request",
		"Upgrade to React 19":                                   "pull request",
		"Release v1.2.0":                                        "pull request",
		"perf: read once":                                       "performance",
		"Fix a crash at start":                                  "",
		"Fixes the crash at start":                              "",
		"[shop] fix: a crash":                                   "",
		"cart: fix a crash":                                     "",
		"build: in two steps":                                   "",
		"Update README":                                         "",
		"Update docs/setup.md":                                  "",
		"Typo":                                                  "",
		"Revert \"feat: add login (#12)\"":                      "",
		"Merge main into next":                                  "",
		"WIP: login":                                            "",
		"[shop]":                                                "",
		"Bump the npm group with 3 updates":                     "",
		"Update dependency react to v19":                        "",
		"Update actions/checkout action to v4":                  "",
		"Update all non-major dependencies":                     "",
		"Update golang Docker tag to v1.26":                     "",
		"Update postgres Docker digest to 1a2b3c4":              "",
		"[Snyk] Security upgrade express from 4.16.0 to 4.19.2": "",
		"Lock file maintenance":                                 "",
		"Pin dependencies":                                      "",
		"Roll back lodash to 4.17.20":                           "",
	} {
		found := achievements.Find([]achievements.Commit{{Hash: hash, Subject: "Merge pull request #12 from acme/login",
			Body: title, Merge: true}})
		got := ""
		for _, a := range found {
			got += a.Why
		}
		require.Equal(t, want, got, title)
	}
}

// TestBots leaves out what no person wrote, but for releases.
func TestBots(t *testing.T) {
	for author, bot := range map[string]bool{
		"dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>":         true,
		"github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>": true,
		"Renovate Bot <bot@renovateapp.com>":                                          true,
		"Mend <renovate@whitesourcesoftware.com>":                                     true,
		"snyk-bot <snyk-bot@snyk.io>":                                                 true,
		"dependabot-preview[bot] <support@dependabot.com>":                            true,
		"Ana Talbot <ana@example.com>":                                                false,
		"Robot Builder <builder@bot.example.com>":                                     false,
		"Bottle <bottles@example.com>":                                                false,
		"":                                                                            false,
		"<>":                                                                          false,
		"\xff\x1b <\x00>":                                                             false,
	} {
		found := achievements.Find([]achievements.Commit{{Hash: hash, Subject: "feat: add login", Author: author},
			{Hash: hash, Subject: "chore: release", Author: author, Tags: []string{"v1.0.0"}}})
		merge := achievements.Find([]achievements.Commit{{Hash: hash, Subject: "Merge pull request #12 from acme/login",
			Body: "Add login", Merge: true, Author: author}})
		require.Len(t, merge, 1, "a bot may merge what a person has made")
		if bot {
			require.Len(t, found, 1, author)
			require.Equal(t, "v1.0.0", found[0].Tag)
		} else {
			require.Len(t, found, 2, author)
		}
	}
}

func TestTags(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for tag, release := range map[string]bool{"v1.2.0": true, "1.2": true, "v2.0.0-rc.1": true, "shop-v1.2.0": true,
		"cli/v1.2.0": true, "pkg@1.2.3": true, "1.2.3+build.5": true, "latest": false, "v1": false, "2026": false,
		"before-10.0.0.1-move": false, "nightly-20260301": false, "": false, "v1.2.0 x": false, "-1.2": false} {
		found := achievements.Find([]achievements.Commit{{Hash: hash, Subject: "feat: x", Tags: []string{tag}, At: at}})
		require.Len(t, found, 1)
		if release {
			require.Equal(t, achievements.Achievement{Commit: hash, Tag: tag, Topic: "Released " + tag, Why: "tag",
				Importance: memory.Normal, At: at}, found[0], tag)
		} else {
			require.Equal(t, "feature", found[0].Why, tag)
		}
	}
	both := achievements.Find([]achievements.Commit{{Hash: hash, Tags: []string{"v1.0.0", "stable", "v1.0"}}})
	require.Len(t, both, 2)
	require.NotEqual(t, both[0].ID(""), both[1].ID(""))
}

func TestLongSubjects(t *testing.T) {
	for _, long := range []string{strings.Repeat("x", 10<<20), strings.Repeat("é", 300), strings.Repeat("\xff", 9000),
		strings.Repeat("a ", 400)} {
		a := achievements.Find([]achievements.Commit{{Hash: hash, Subject: "feat: " + long}})[0]
		require.LessOrEqual(t, utf8.RuneCountInString(a.Topic), memory.MaxTopicChars)
		_, err := memory.NormalizeTopic(a.Topic)
		require.NoError(t, err)
	}
}

func TestIDs(t *testing.T) {
	a := achievements.Achievement{Commit: hash, Topic: "feat: x"}
	other := achievements.Achievement{Commit: strings.Repeat("f", 40), Topic: "feat: reworded"}
	require.Equal(t, a.ID("patch"), other.ID("patch"), "amended or rebased")
	require.NotEqual(t, a.ID("patch"), a.ID("another"))
	require.NotEqual(t, a.ID(""), other.ID(""))
	tag := achievements.Achievement{Commit: hash, Topic: "Released v1.0.0", Tag: "v1.0.0"}
	require.Equal(t, tag.ID("patch"), tag.ID("another"), "a tag that moved")
	require.Equal(t, "feat: x\n\nCommit "+hash+", found as: .", a.Content())
}

func FuzzFind(f *testing.F) {
	f.Add("feat(x)!: y", "body", "v1.0.0", true)
	f.Add("Merge pull request #1 from a/b", "\xff\n", "\x00", false)
	f.Fuzz(func(t *testing.T, subject, body, tag string, merge bool) {
		for _, a := range achievements.Find([]achievements.Commit{{Hash: hash, Subject: subject, Body: body,
			Tags: []string{tag}, Merge: merge}}) {
			topic, err := memory.NormalizeTopic(a.Topic)
			require.NoError(t, err)
			require.Equal(t, topic, a.Topic)
			require.NotEmpty(t, a.Why)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	commits := make([]achievements.Commit, 100_000)
	for i := range commits {
		commits[i] = achievements.Commit{Hash: hash, Subject: "Fix the parser of the import command in some cases"}
	}
	for b.Loop() {
		achievements.Find(commits)
	}
}
