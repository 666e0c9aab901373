package memfile

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// The Python predecessor of ltm wrote front matter without YAML quoting: tags verbatim after "- ", and topics in quotes
// without escapes. Read as YAML, a tag such as "@x" makes the header unreadable, "#x" is a comment, and the topic
// C:\temp\new contains a tab. Its files are recognized by their time, which has microseconds and the offset +00:00.
// People write such values too; in their files YAML takes precedence, and the plain text is used only where YAML fails.

// predecessorsTime finds that time. It is compiled when it is first used, as those of [quoteValues].
var predecessorsTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^created_at:\s*["']?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00["']?\s*$`)
})

// isPredecessors reports whether the predecessor wrote this front matter.
func isPredecessors(header string) bool {
	return strings.Contains(header, "+00:00") && predecessorsTime().MatchString(header)
}

// quoteTexts returns front matter with the topic and the tags read as plain text and quoted as
// YAML. The number of lines does not change.
func quoteTexts(header string) string {
	literal := isPredecessors(header)
	lines := strings.SplitAfter(header, "\n")
	inTags := false
	for i, line := range lines {
		text := strings.TrimRight(line, "\r\n")
		end := line[len(text):]
		item, isItem := strings.CutPrefix(strings.TrimLeft(text, " \t"), "-")
		switch value, isTopic := strings.CutPrefix(text, keyTopic+":"); {
		case isTopic:
			inTags = false
			lines[i] = keyTopic + ": " + strconv.Quote(topicText(value, literal)) + end
		case inTags && isItem && (item == "" || item[0] == ' ' || item[0] == '\t'):
			if tag := tagText(item, literal); tag != "" {
				lines[i] = "  - " + strconv.Quote(tag) + end
			} else {
				lines[i] = "  # no tag" + end
			}
		default:
			inTags = strings.TrimSpace(text) == keyTags+":" || inTags && strings.TrimSpace(text) == ""
		}
	}
	return strings.Join(lines, "")
}

// hasOddTags reports whether YAML reads any of the tags as something other than a word: as nothing,
// because a comment begins there, as an anchor, or as a list.
func hasOddTags(root *yaml.Node) bool {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != keyTags || root.Content[i+1].Kind != yaml.SequenceNode ||
			root.Style&yaml.FlowStyle != 0 {
			continue
		}
		for _, item := range root.Content[i+1].Content {
			if !isWord(item) {
				return true
			}
		}
	}
	return false
}

// isWord reports whether YAML reads a value as a single word.
func isWord(n *yaml.Node) bool {
	switch n.Tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!timestamp":
		return n.Kind == yaml.ScalarNode && n.Anchor == ""
	}
	return false
}

// topicText returns the topic that a line contains. Unless literal is set, backslashes within the quotes may be escaped
// too: programs other than the predecessor do that, but do not quote for colons.
func topicText(value string, literal bool) string {
	value = strings.TrimSpace(value)
	n := len(value)
	if n < 2 || value[0] != '"' || value[n-1] != '"' {
		return value
	}
	value = value[1 : n-1]
	if literal {
		return strings.ReplaceAll(value, `\"`, `"`)
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value)
}

// tagText returns the tag that a list item contains. Unless literal is set, an item that YAML reads
// as a word is that word.
func tagText(item string, literal bool) string {
	item = strings.TrimSpace(item)
	if !literal {
		var node yaml.Node
		if yaml.Unmarshal([]byte(item), &node) == nil && len(node.Content) == 1 && isWord(node.Content[0]) {
			return node.Content[0].Value
		}
	}
	if n := len(item); n >= 2 && (item[0] == '"' || item[0] == '\'') && item[n-1] == item[0] {
		return item[1 : n-1]
	}
	return item
}
