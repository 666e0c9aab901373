package memfile

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// Properties is the front matter of another program's markdown file. The keys are in lower case,
// those of a nested mapping have the outer key and a dot before them ("metadata.type"), and a list
// has several values. A key without a value has none.
type Properties map[string][]string

// First returns the first value of the first of the keys that has one.
func (p Properties) First(keys ...string) string {
	for _, key := range keys {
		if values := p[key]; len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// maxPropertyDepth bounds nested mappings and lists; deeper ones are ignored.
const maxPropertyDepth = 4

// ReadProperties splits a markdown file of another program into its front matter and the text below it, with "\n" line
// ends. A file that does not begin with front matter has no properties. Values that people forget to quote are read as
// plain text. YAML's aliases are refused: a few bytes of them can expand to gigabytes.
func ReadProperties(data []byte) (Properties, string, error) {
	if !utf8.Valid(data) {
		return nil, "", unreadable("the file is not UTF-8 text")
	}
	text := memory.UnixLines(strings.TrimPrefix(string(data), utf8BOM))
	header, body, found := cutHeader(text)
	if !found {
		return nil, text, nil
	}
	if len(header) > maxHeaderBytes {
		return nil, "", unreadable("the front matter has %d bytes, more than %d", len(header), maxHeaderBytes)
	}
	root, err := decodeProperties(header)
	if err != nil {
		return nil, "", err
	}
	if root == nil {
		return nil, text, nil
	}
	p := Properties{}
	if err := p.add("", root, 0); err != nil {
		return nil, "", err
	}
	return p, body, nil
}

// cutHeader cuts a text at the two fences of its front matter.
func cutHeader(text string) (header, body string, found bool) {
	first, rest, ok := strings.Cut(text, "\n")
	if !ok || strings.TrimRight(first, " \t") != fence {
		return "", "", false
	}
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == fence {
			return rest[:at], rest[at+len(line):], true
		}
		at += len(line)
	}
	return "", "", false
}

// decodeProperties parses front matter. The result is nil if the text is not a mapping: two rules
// across the page look like fences too.
func decodeProperties(header string) (*yaml.Node, error) {
	var first error
	for _, quote := range []func() *regexp.Regexp{nil, plainValue, anyValue} {
		text := header
		if quote != nil {
			text = quoteValues(header, quote())
		}
		var doc yaml.Node
		err := yaml.Unmarshal([]byte(text), &doc)
		switch {
		case err == nil && len(doc.Content) == 1 && doc.Content[0].Kind == yaml.MappingNode:
			return doc.Content[0], nil
		case err == nil && len(doc.Content) == 1 && strings.Contains(header, ":"):
			continue // "key:value" without a space is one word
		case err == nil:
			return nil, nil
		case first == nil:
			first = err
		}
	}
	if first == nil {
		return nil, nil
	}
	return nil, unreadable("the front matter is not YAML: %s", strings.TrimPrefix(first.Error(), "yaml: "))
}

// What [quoteValues] takes for a value: of "key: value" and of "- value". They are compiled when they
// are first used, because that would take a tenth of a hook's start.
var (
	plainValue = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\s*(?:[\pL_][^:#"'\[\]{}]*:|-))[ \t]+([^\s"'\[{|>&*!#].*)$`)
	})
	anyValue = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\s*(?:[\pL_][^:#"'\[\]{}]*:|-))[ \t]+([^\s|>].*)$`)
	})
)

// quoteValues quotes the values in front matter that match.
func quoteValues(header string, value *regexp.Regexp) string {
	lines := strings.Split(header, "\n")
	for i, line := range lines {
		if m := value.FindStringSubmatch(line); m != nil {
			text := strings.TrimSpace(m[2])
			if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
				text = text[1 : n-1]
			}
			lines[i] = m[1] + " '" + strings.ReplaceAll(text, "'", "''") + "'"
		}
	}
	return strings.Join(lines, "\n")
}

// add adds what a node says below a key.
func (p Properties) add(key string, node *yaml.Node, depth int) error {
	if node.Kind == yaml.AliasNode {
		return unreadable("the front matter uses YAML aliases (*%s)", memory.Quote(node.Value, 40))
	}
	if depth > maxPropertyDepth {
		return nil
	}
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			name := strings.ToLower(strings.TrimSpace(node.Content[i].Value))
			if key != "" {
				name = key + "." + name
			}
			if err := p.add(name, node.Content[i+1], depth+1); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		for _, item := range node.Content {
			if err := p.add(key, item, depth+1); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		if text := strings.TrimSpace(node.Value); text != "" && node.Tag != "!!null" {
			p[key] = append(p[key], text)
		}
	}
	return nil
}
