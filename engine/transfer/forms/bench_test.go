package forms_test

import (
	"fmt"
	"strings"
	"testing"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
)

// BenchmarkMarkdown reads directories of notes that refer to each other.
func BenchmarkMarkdown(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		s := transfer.Source{Dir: true}
		for i := range n {
			text := fmt.Sprintf("---\ntitle: Note %d\ntags: [a, b]\naliases: [N%d]\npermalink: notes/n%d\n---\n"+
				"# Note %d\n\n%s\n\n## Relations\n- requires [[Note %d]]\n- see [[N%d|it]]\n", i, i, i, i,
				strings.Repeat("Some words about `it` and more. ", 30), (i+1)%n, (i*7)%n)
			s.Files = append(s.Files, transfer.File{Name: fmt.Sprintf("notes/%05d.md", i), Data: []byte(text)})
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if r, err := (forms.Markdown{}).Read(s, here); err != nil || len(r.Items) != n {
					b.Fatal(err, len(r.Items))
				}
			}
		})
	}
}
