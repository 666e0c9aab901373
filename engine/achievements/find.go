package achievements

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"ltm/memory"
)

// Commit is a commit or a tag, as git has it: any bytes, of any length.
type Commit struct {
	Hash    string
	Author  string // "name <address>"
	Subject string
	Body    string   // of merges: at least its first line that is not empty
	Merge   bool     // it has several parents
	Tags    []string // that name it
	At      time.Time
}

// Achievement is a commit that is worth a memory.
type Achievement struct {
	Commit     string
	Tag        string // not empty: the achievement is a release, and the tag its name
	Topic      string // one line, clean, of at most [memory.MaxTopicChars]
	Why        string // how it was recognized
	Importance memory.Importance
	At         time.Time
}

// Find returns the achievements among commits, in the same order. A commit with tags has one for
// each of them, and none for its subject. Bots release, and have no other achievements.
func Find(commits []Commit) []Achievement {
	var found []Achievement
	f := newForms()
	for _, c := range commits {
		tagged := false
		for _, tag := range c.Tags {
			if name := clean(tag); f.release.MatchString(name) {
				found = append(found, Achievement{Commit: c.Hash, Tag: name, Why: "tag",
					Topic: memory.ClipTopic("Released " + name), Importance: memory.Normal, At: c.At})
				tagged = true
			}
		}
		if tagged || !c.Merge && isBot(c.Author) { // a bot may merge what a person has made
			continue
		}
		if title, why, level := f.classify(c); why != "" {
			found = append(found, Achievement{Commit: c.Hash, Topic: memory.ClipTopic(title), Why: why,
				Importance: level, At: c.At})
		}
	}
	return found
}

// classify returns the title of a commit, how it was recognized, or "", and its importance.
func (f forms) classify(c Commit) (title, why string, level memory.Importance) {
	title, merged := clean(c.Subject), c.Merge
	if c.Merge {
		first, _, _ := strings.Cut(strings.TrimLeft(c.Body, " \t\r\n"), "\n")
		title = f.mergedTitle(title, clean(first))
	} else if m := f.titled.FindStringSubmatch(title); m != nil {
		title, merged = m[1], true
	}
	if strings.HasSuffix(title, ")") {
		title = f.numbers.ReplaceAllString(title, "")
	}
	why, level = f.judge(title, merged)
	return title, why, level
}

// judge returns why a title is worth a memory, or "". That of a merged pull request is, unless it is upkeep. A squashed
// one is judged as a commit: it cannot be told from others that name an issue.
func (f forms) judge(title string, merged bool) (why string, level memory.Importance) {
	text := title
	if m := f.conventional.FindStringSubmatch(title); m != nil {
		kind, breaking := strings.ToLower(m[1]), m[3] != ""
		text = m[4]
		switch {
		case f.deps.MatchString(m[2]), f.bump.MatchString(text):
			return "", ""
		case breaking && kind != "revert":
			return "breaking change", memory.Normal
		case kind == "feat":
			return "feature", memory.Low
		case kind == "perf":
			return "performance", memory.Low
		case !merged || kind == "build" || isUpkeep(kind): // else it names a part of the program
			return "", ""
		}
	}
	if !merged {
		if f.isAchieved(title) {
			return "words", memory.Low
		}
		return "", ""
	}
	text = f.label.ReplaceAllString(text, "")
	first, _, _ := strings.Cut(text, " ")
	if first == "" || isUpkeep(first) || f.bump.MatchString(text) || f.upgrade.MatchString(text) {
		return "", ""
	}
	return "pull request", memory.Low
}

// isUpkeep reports whether a type, or the first word of a title, says that nothing new was made.
func isUpkeep(word string) bool {
	switch strings.TrimRight(strings.ToLower(word), ":,") {
	case "bug", "bugfix", "hotfix", "fix", "fixes", "fixed", "fixing", "resolve", "resolves", "resolved",
		"doc", "docs", "document", "documents", "documentation", "readme", "changelog", "typo", "typos",
		"test", "tests", "testing", "refactor", "refactors", "refactored", "refactoring", "style", "lint", "format",
		"clean", "cleanup", "cleans", "tidy", "chore", "ci", "wip", "draft", "revert", "reverts", "reverted",
		"merge", "merges", "merged", "backport":
		return true
	}
	return false
}

// forms are the patterns of subjects and tags. They are compiled when they are needed: the program
// starts often, and seldom needs them.
type forms struct {
	conventional *regexp.Regexp // feat(scope)!: text
	titled       *regexp.Regexp // a merge with the title of its pull request
	numbers      *regexp.Regexp // of a pull request, at the end of a title
	merges       []*regexp.Regexp
	label        *regexp.Regexp // [part] text
	deps         *regexp.Regexp // a scope
	bump         *regexp.Regexp // of a dependency
	upgrade      *regexp.Regexp // to a version
	release      *regexp.Regexp // 1.2, v1.2.3, tool-v1.2.3-rc.1
}

// newForms compiles the patterns. The merges are those of GitHub, GitLab, Bitbucket and Azure
// DevOps, the bumps those of Dependabot, Renovate and Snyk.
func newForms() forms {
	return forms{
		conventional: regexp.MustCompile(`^([A-Za-z]{2,20})(?:\(([^()]{0,100})\))?(!?): +(\S.*)$`),
		titled:       regexp.MustCompile(`^Merged PR \d+: +(\S.*)$`),
		numbers:      regexp.MustCompile(`(?: \([#!]\d+\))+$`),
		merges: []*regexp.Regexp{regexp.MustCompile(`^Merge pull request #\d+ from (\S+)$`),
			regexp.MustCompile(`^Merge branch '([^']+)' into '[^']+'$`),
			regexp.MustCompile(`^Merged in (\S+) \(pull request #\d+\)$`)},
		label: regexp.MustCompile(`^\[[^\[\]]*\] *`),
		deps:  regexp.MustCompile(`(?i)\b(?:deps|dependenc(?:y|ies))\b`),
		bump: regexp.MustCompile(`(?i)^(?:bump(?:s|ed)? |lock file maintenance|version packages$` +
			`|(?:update|upgrade|pin|refresh|roll back)[sd]? .*\bdependenc(?:y|ies)\b)`),
		upgrade: regexp.MustCompile(`(?i)^(?:update|upgrade|roll back|security upgrade)[sd]? .*` +
			`(?: v\d| \d+\.\d|\bdigest\b|\breadme\b|\bchangelog\b|\.(?:md|ya?ml)$)`),
		release: regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9_./-]{0,60}[-/@])?[vV]?\d+\.\d+(?:\.\d+)?` +
			`(?:[-+][0-9A-Za-z.+-]{1,60})?$`),
	}
}

// mergedTitle returns the title of a pull request that a person has made and that was merged, or "".
func (f forms) mergedTitle(subject, body string) string {
	if m := f.titled.FindStringSubmatch(subject); m != nil {
		return m[1]
	}
	for _, form := range f.merges {
		m := form.FindStringSubmatch(subject)
		if m != nil && !ofBot(m[1]) && !strings.HasPrefix(body, "See merge request ") {
			return body
		}
	}
	return ""
}

// ofBot reports whether a branch has the name that a bot gives it.
func ofBot(branch string) bool {
	for part := range strings.SplitSeq(branch, "/") {
		if part == "dependabot" || part == "renovate" || part == "changeset-release" ||
			strings.HasPrefix(part, "release-please-") || strings.HasPrefix(part, "snyk-") {
			return true
		}
	}
	return false
}

func isBot(author string) bool {
	name, address, _ := strings.Cut(strings.ToLower(author), " <")
	local, _, _ := strings.Cut(address, "@")
	for _, who := range []string{name, local} {
		if strings.Contains(who, "[bot]") || strings.HasSuffix(who, "-bot") || strings.HasPrefix(who, "dependabot") ||
			strings.HasPrefix(who, "renovate") {
			return true
		}
	}
	return local == "bot"
}

// isAchieved reports whether a subject begins with whole words that say so.
func (f forms) isAchieved(subject string) bool {
	words := strings.Fields(strings.ToLower(subject))
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "implement", "implements", "implemented", "complete", "completes", "completed", "finish", "finishes",
		"finished", "ship", "ships", "shipped", "migrate", "migrates", "migrated":
		return len(words) > 1
	case "release", "releases", "released", "launch", "launches", "launched":
		return len(words) == 2 && f.release.MatchString(words[1])
	case "add", "adds", "added", "create", "creates", "created", "build", "builds", "built":
		return namesPart(words[1:])
	}
	return len(words) == 1 && f.release.MatchString(words[0])
}

// namesPart reports whether words name a whole part of a program. What comes after "for" or the
// like is about something else: "add test for command".
func namesPart(words []string) bool {
	for _, word := range words {
		switch strings.TrimRight(word, ".,;:!") {
		case "test", "tests", "for", "to", "of", "in", "on", "about", "from", "with":
			return false
		case "feature", "command", "module", "subsystem":
			return true
		}
	}
	return false
}

// clean returns a text as one valid line without control characters.
func clean(text string) string {
	// Nothing behind this is shown or needed.
	const most = 4 * memory.MaxTopicChars
	text = strings.ToValidUTF8(text[:min(len(text), most)], "\uFFFD")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
}
