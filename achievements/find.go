package achievements

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"ltm/memory"
)

// Commit is a commit or a tag, as git has it: any bytes, of any length.
type Commit struct {
	Hash    string
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
// each of them, and none for its subject.
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
		if tagged {
			continue
		}
		if topic, why, level := f.classify(c); why != "" {
			found = append(found, Achievement{Commit: c.Hash, Topic: topic, Why: why, Importance: level, At: c.At})
		}
	}
	return found
}

// classify returns the topic of a commit, how it was recognized, or "", and its importance.
func (f forms) classify(c Commit) (topic, why string, level memory.Importance) {
	subject := clean(c.Subject)
	if c.Merge {
		if title := f.pullRequest(subject, clean(firstLine(c.Body))); title != "" {
			return memory.ClipTopic(title), "pull request", memory.Low
		}
		return "", "", ""
	}
	if kind, breaking, ok := f.conventionalParts(subject); ok {
		switch {
		case breaking && kind != "revert":
			return memory.ClipTopic(subject), "breaking change", memory.Normal
		case kind == "feat":
			return memory.ClipTopic(subject), "feature", memory.Low
		case kind == "perf":
			return memory.ClipTopic(subject), "performance", memory.Low
		}
		return "", "", ""
	}
	if f.isAchieved(subject) {
		return memory.ClipTopic(subject), "words", memory.Low
	}
	return "", "", ""
}

// forms are the patterns of subjects and tags. They are compiled when they are needed: the program
// starts often, and seldom needs them.
type forms struct {
	conventional *regexp.Regexp // feat(scope)!: text
	titled       *regexp.Regexp // a merge with the title of its pull request
	merges       []*regexp.Regexp
	release      *regexp.Regexp // 1.2, v1.2.3, tool-v1.2.3-rc.1
}

// newForms compiles the patterns. The merges are those of GitHub, GitLab, Bitbucket and Azure
// DevOps.
func newForms() forms {
	return forms{
		conventional: regexp.MustCompile(`^([A-Za-z]{2,20})(?:\([^()]{0,100}\))?(!?): +\S`),
		titled:       regexp.MustCompile(`^Merged PR \d+: +(\S.*)$`),
		merges: []*regexp.Regexp{regexp.MustCompile(`^Merge pull request #\d+ from \S+$`),
			regexp.MustCompile(`^Merge branch '[^']+' into '[^']+'$`),
			regexp.MustCompile(`^Merged in \S+ \(pull request #\d+\)$`)},
		release: regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9_./-]{0,60}[-/@])?[vV]?\d+\.\d+(?:\.\d+)?` +
			`(?:[-+][0-9A-Za-z.+-]{1,60})?$`),
	}
}

// conventionalParts parses a subject like "feat(scope)!: text".
func (f forms) conventionalParts(subject string) (kind string, breaking, ok bool) {
	m := f.conventional.FindStringSubmatch(subject)
	if m == nil {
		return "", false, false
	}
	return strings.ToLower(m[1]), m[2] != "", true
}

// pullRequest returns the title of a merged pull request, or "".
func (f forms) pullRequest(subject, body string) string {
	if m := f.titled.FindStringSubmatch(subject); m != nil {
		return m[1]
	}
	isMerge := slices.ContainsFunc(f.merges, func(form *regexp.Regexp) bool { return form.MatchString(subject) })
	if !isMerge || strings.HasPrefix(body, "See merge request ") {
		return ""
	}
	return body
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

// firstLine returns the first line that is not empty.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	return line
}
