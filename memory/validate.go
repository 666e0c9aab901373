package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on what is stored. They bound the size of a memory, and so the time to read one.
const (
	MaxTopicChars   = 200
	MaxContentBytes = 256 << 10
	MaxSummaryChars = 1000
	MaxTags         = 20
	MaxReadTags     = 100 // of a file: others can write more, which stay in it and do not count
	MaxTagChars     = 50
	MaxQueryBytes   = 16 << 10
)

// NormalizeTopic returns the topic on one line, with runs of white space collapsed.
func NormalizeTopic(s string) (string, error) {
	if err := checkText("topic", s); err != nil {
		return "", err
	}
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return "", NewError(CodeInvalid, KindTopicEmpty, "topic",
			"the topic is empty; a topic is one line of 1 to 200 characters")
	}
	if n := utf8.RuneCountInString(s); n > MaxTopicChars {
		return "", NewError(CodeInvalid, KindTopicTooLong, "topic",
			"the topic has %d characters; a topic is one line of 1 to 200 characters", n)
	}
	return s, nil
}

// ClipTopic makes a topic of a text: one line that [NormalizeTopic] accepts, unless it is empty. What
// is too long ends with "…".
func ClipTopic(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(s); len(runes) > MaxTopicChars {
		s = strings.TrimRight(string(runes[:MaxTopicChars-1]), " ") + "…"
	}
	return s
}

// NormalizeContent returns the content with "\n" line ends and without leading blank lines or trailing white space.
func NormalizeContent(s string) (string, error) {
	if len(s) > MaxContentBytes {
		return "", NewError(CodeInvalid, KindContentTooLong, "content",
			"the content has %d bytes; at most 262144 bytes (256 KiB) are allowed", len(s))
	}
	if err := checkText("content", s); err != nil {
		return "", err
	}
	s = TrimBlank(UnixLines(s))
	if HasConflict(s) {
		return "", NewError(CodeInvalid, KindTextConflicted, "content", "the content holds a merge conflict")
	}
	if s == "" {
		return "", NewError(CodeInvalid, KindContentEmpty, "content",
			"the content is empty; content is the detail to remember, as markdown")
	}
	return s, nil
}

// NormalizeSummary is [NormalizeContent] for summaries, which are short and may be empty.
func NormalizeSummary(s string) (string, error) {
	if err := checkText("summary", s); err != nil {
		return "", err
	}
	s = TrimBlank(UnixLines(s))
	if n := utf8.RuneCountInString(s); n > MaxSummaryChars {
		return "", NewError(CodeInvalid, KindSummaryTooLong, "summary",
			"the summary has %d characters; a summary has at most 1000", n)
	}
	return s, nil
}

// NormalizeTags normalizes each tag as [NormalizeTag] does, drops empty and repeated ones, and keeps the order.
func NormalizeTags(tags []string) ([]string, error) {
	out := make([]string, 0, min(len(tags), MaxTags))
	for _, tag := range tags {
		t, err := NormalizeTag(tag)
		if err != nil {
			return nil, err
		}
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
		if len(out) > MaxTags {
			return nil, NewError(CodeInvalid, KindTagsTooMany, "tags",
				"%d tags were given; at most 20 tags are allowed", len(tags))
		}
	}
	return out, nil
}

// NormalizeTag returns the tag in lower case, with its words joined by "-" and without surrounding
// "#" and "-". An "importance:" tag must name a level.
func NormalizeTag(tag string) (string, error) {
	if err := checkText("tag", tag); err != nil {
		return "", err
	}
	t := strings.Join(strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool {
		return unicode.IsSpace(r) || r == ',' || unicode.IsControl(r)
	}), "-")
	t = strings.Trim(t, "-#")
	if utf8.RuneCountInString(t) > MaxTagChars {
		return "", NewError(CodeInvalid, KindTagTooLong, t, "tag %s is too long; a tag has at most 50 characters",
			Quote(t, 60))
	}
	if strings.HasPrefix(t, importancePrefix) {
		level, err := ParseImportance(t)
		if err != nil {
			return "", err
		}
		t = level.Tag()
	}
	return t, nil
}

// CheckTagCount refuses too many tags, unless the memory had at least as many before. Of several memories, id says
// which one it is.
func CheckTagCount(id ID, tags []string, before int) error {
	if len(tags) <= MaxTags || len(tags) <= before {
		return nil
	}
	of := ""
	if id != "" {
		of = string(id) + ": "
	}
	return NewError(CodeInvalid, KindTagsTooMany, cmp.Or(string(id), "tags"),
		"%sthat makes %d tags; at most %d tags are allowed, and an importance counts as one", of, len(tags), MaxTags)
}

// CheckDifficulty refuses anything but a number from 0 to 1.
func CheckDifficulty(v float64) error {
	if math.IsNaN(v) || v < 0 || v > 1 {
		return NewError(CodeInvalid, KindDifficultyRange, "difficulty",
			"difficulty %v is out of range; difficulty is a number from 0 (easy) to 1 (very hard)", v)
	}
	return nil
}

// CheckQuery refuses an empty or oversized search text.
func CheckQuery(q string) error {
	if strings.TrimSpace(q) == "" {
		return NewError(CodeInvalid, KindQueryEmpty, "query", "the query is empty")
	}
	if len(q) > MaxQueryBytes {
		return NewError(CodeInvalid, KindQueryTooLong, "query",
			"the query has %d bytes; at most 16384 bytes are allowed", len(q))
	}
	return nil
}

// checkText refuses invalid UTF-8 and NUL bytes, which no text file should contain.
func checkText(what, s string) error {
	if !utf8.ValidString(s) {
		return NewError(CodeInvalid, KindTextNotUTF8, what, "the %s is not valid UTF-8; only UTF-8 text can be stored",
			what)
	}
	if strings.ContainsRune(s, 0) {
		return NewError(CodeInvalid, KindTextNUL, what, "the %s holds a NUL byte; only text can be stored", what)
	}
	return nil
}

// NewDraft returns a new memory with every field in its stored form, or an error about the first invalid one. It has no
// id yet. level is the importance that was given beside the tags; it is an error if they contradict each other.
func NewDraft(m Memory, level Importance) (Memory, error) {
	m, err := normalize(m)
	if err != nil {
		return Memory{}, err
	}
	tags, level, err := SplitImportance(m.Tags, level)
	if err != nil {
		return Memory{}, err
	}
	m.Tags = WithImportance(tags, level)
	return m, CheckTagCount("", m.Tags, 0)
}

// Normalize returns m with every field in its stored form, or an error about the first invalid
// field. Parsing the formatted result gives the same memory back.
func Normalize(m Memory) (Memory, error) {
	if !isID(string(m.ID)) {
		return Memory{}, NewError(CodeInvalid, KindIDMalformed, string(m.ID), "%s is not a memory id",
			Quote(string(m.ID), 60))
	}
	return normalize(m)
}

func normalize(m Memory) (Memory, error) {
	var err error
	if m.Topic, err = NormalizeTopic(m.Topic); err != nil {
		return Memory{}, err
	}
	if m.Phase < Abstract || m.Content != "" {
		if m.Content, err = NormalizeContent(m.Content); err != nil {
			return Memory{}, err
		}
	}
	if m.Summary, err = NormalizeSummary(m.Summary); err != nil {
		return Memory{}, err
	}
	if m.Tags, err = NormalizeTags(m.Tags); err != nil {
		return Memory{}, err
	}
	if m.Aliases, err = NormalizeAliases(m.Aliases); err != nil {
		return Memory{}, err
	}
	if !m.Phase.Active() {
		return Memory{}, NewError(CodeInvalid, KindPhaseWithoutFile, string(m.ID), "phase %d has no file", m.Phase)
	}
	if HasConflict(m.Summary + "\n" + m.Content) {
		return Memory{}, NewError(CodeInvalid, KindTextConflicted, string(m.ID),
			"summary and content hold a merge conflict")
	}
	if m.Category, err = ParseCategory(string(m.Category)); err != nil {
		return Memory{}, err
	}
	if m.Confidence != nil {
		if m.Confidence, err = RoundedSureness(*m.Confidence); err != nil {
			return Memory{}, err
		}
	}
	if err := normalizeLinks(&m); err != nil {
		return Memory{}, err
	}
	if err = CheckDifficulty(m.Difficulty); err != nil {
		return Memory{}, err
	}
	m.Difficulty = Round2(m.Difficulty)
	m.OddCategory, m.OddConfidence, m.OddAliases = false, false, false
	return m, nil
}

// UnixLines converts CRLF and lone CR to LF.
func UnixLines(s string) string {
	if !strings.ContainsRune(s, '\r') {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// TrimBlank removes leading blank lines and trailing white space. It keeps the indentation of the
// first line, which may be code.
func TrimBlank(s string) string {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	for {
		line, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			return s
		}
		s = rest
	}
}
