package memory

import (
	_ "embed"
	"strings"
)

// technologies has three tables, with an empty line between them:
//   - names that mean nothing else, as "tag" or, if it has other names, "tag=name,name";
//   - names that are also English words, as "name: companions" or "name=tag: companions". A companion beside the name
//     shows that the technology is meant;
//   - extensions of files, as "tag=extension,extension".
//
//go:embed technologies.txt
var technologies string

// vocabulary is what the tables say.
type vocabulary struct {
	names      map[string]technology
	extensions map[string]string // with the dot, to their tags
}

// technology is what a name means.
type technology struct {
	tag    string
	beside []string // words of which one must be beside the name; nil: none
}

// newVocabulary reads the tables, which is faster than to keep it in every process.
func newVocabulary() vocabulary {
	tables := strings.SplitN(technologies, "\n\n", 3)
	v := vocabulary{make(map[string]technology, 512), map[string]string{}}
	for entry := range strings.FieldsSeq(tables[0]) {
		tag, others, _ := strings.Cut(entry, "=")
		v.names[tag] = technology{tag: tag}
		for name := range strings.SplitSeq(others, ",") {
			v.names[name] = technology{tag: tag}
		}
	}
	for line := range strings.SplitSeq(tables[1], "\n") {
		entry, beside, _ := strings.Cut(line, ":")
		name, tag, other := strings.Cut(entry, "=")
		if !other {
			tag = name
		}
		v.names[name] = technology{tag, append(v.names[name].beside, strings.Fields(beside)...)}
	}
	for entry := range strings.FieldsSeq(tables[2]) {
		tag, others, _ := strings.Cut(entry, "=")
		for name := range strings.SplitSeq(others, ",") {
			v.extensions["."+name] = tag
		}
	}
	return v
}
