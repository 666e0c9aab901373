package memfile

import (
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// The predecessor of this program, in Python, writes front matter without YAML's
// quoting: tags as they are behind "- ", and topics between quotes without escapes.
// Read as YAML, a tag such as "@x" makes the header unreadable, "#x" is a comment,
// and the topic C:\temp\new has a tab in it. Its files are known by their time,
// which has microseconds and the offset +00:00. People leave such values, too: there
// YAML counts, and the text only where YAML fails.

var predecessorsTime = regexp.MustCompile(`(?m)^created_at:\s*["']?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00["']?\s*$`)

// isPredecessors reports whether the predecessor wrote this front matter.
func isPredecessors(header string) bool {
	return strings.Contains(header, "+00:00") && predecessorsTime.MatchString(header)
}

// quoteTexts returns front matter in which the topic and the items of tags are
// quoted as YAML wants it, read as the text that is there. The number of lines
// stays.
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

// hasOddTags reports whether an item of the tags is something else than a word to
// YAML: nothing, because the word begins a comment, an anchor, or a list.
func hasOddTags(root *yaml.Node) bool {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != keyTags || root.Content[i+1].Kind != yaml.SequenceNode || root.Style&yaml.FlowStyle != 0 {
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

// isWord reports whether YAML reads a value as one word.
func isWord(n *yaml.Node) bool {
	switch n.Tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!timestamp":
		return n.Kind == yaml.ScalarNode && n.Anchor == ""
	}
	return false
}

// topicText returns a topic as its line has it. Without literal, quotes within the
// outer ones may be escaped: other writers do so, and leave colons alone.
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

// tagText returns a tag as its line has it. Where a person may have written it, an
// item that YAML reads as a string is that string.
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
