package transfer

import (
	"slices"
	"strings"
	"time"

	"ltm/memory"
)

// Limits on what is read. A document is held in memory while a plan is made.
const (
	MaxDocumentBytes = 256 << 20 // of all files of a source together
	MaxFileBytes     = 1 << 20   // of one file of a directory
	MaxFiles         = 20_000    // of a directory
	MaxItems         = MaxFiles  // as many memories as a store looks at
)

// Source is the input of an import: one document, or the text files of a directory.
type Source struct {
	Name  string // as the person named it, for messages
	Dir   bool
	Files []File // of a document exactly one; of a directory sorted by name
}

// File is a file of a source.
type File struct {
	Name     string // relative to the directory, with "/"; the base name of a document
	Data     []byte
	Modified time.Time // zero: unknown
	Err      error     // it cannot be read, and Data is empty; never of a document
}

// Find returns the file with a name, or nil.
func (s Source) Find(name string) *File {
	i := slices.IndexFunc(s.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Files[i]
}

// Document returns the bytes of a source that is one document, or nil.
func (s Source) Document() []byte {
	if s.Dir || len(s.Files) != 1 {
		return nil
	}
	return s.Files[0].Data
}

// Here holds everything that reading a document depends on besides its bytes.
type Here struct {
	Now     time.Time
	Zone    *time.Location // of times without a zone; nil: UTC
	Project string         // the name of the project that is imported into; empty: none
}

// Reading is the result of reading a document.
type Reading struct {
	System  string // the program that wrote it, as the origin of each memory names it
	Version string // of the form; empty: it has none
	Project string // the project that it says it is from; empty: it says none
	Agent   string // the id of the agent that it is from
	Items   []Item
	Remarks []memory.Remark // about the document as a whole
}

// Form reads the documents of one program. It is stateless.
type Form interface {
	// Name is the form's name, such as "claude-ltm".
	Name() string

	// Recognize reports whether a source seems to be of this form, whatever its version. It must
	// be cheap, and not say yes to documents of other forms.
	Recognize(Source) bool

	// Read reads a source that the form recognized, or that a person said has this form. It returns an error about the
	// document as a whole: see [Malformed] and [OtherVersion]. What is wrong with one entry is its [Item.Err].
	Read(Source, Here) (Reading, error)
}

// Recognize returns the first of the forms that recognizes a source.
func Recognize(s Source, forms []Form) (Form, error) {
	if i := slices.IndexFunc(forms, func(f Form) bool { return f.Recognize(s) }); i >= 0 {
		return forms[i], nil
	}
	return nil, memory.NewError(memory.CodeInvalid, memory.KindImportUnknown, s.Name,
		"%s has none of the known forms: %s", memory.Quote(s.Name, maxShown), strings.Join(names(forms), ", "))
}

// Named returns the form with a name.
func Named(name string, forms []Form) (Form, error) {
	if i := slices.IndexFunc(forms, func(f Form) bool { return f.Name() == name }); i >= 0 {
		return forms[i], nil
	}
	return nil, memory.NewError(memory.CodeInvalid, memory.KindFormUnknown, name,
		"%s is not a form; allowed: %s", memory.Quote(name, maxShown), strings.Join(names(forms), ", "))
}

func names(forms []Form) []string {
	list := make([]string, 0, len(forms))
	for _, form := range forms {
		list = append(list, form.Name())
	}
	return list
}

// maxShown is how many characters of a text from outside a message quotes.
const maxShown = 60

// Malformed is the error about a document, or an entry of one, that cannot be read. The subject is
// the document's name or the entry.
func Malformed(subject, format string, args ...any) error {
	return memory.NewError(memory.CodeInvalid, memory.KindImportMalformed, subject, format, args...)
}

// OtherVersion is the error about a document of a known form in a version that is not read.
func OtherVersion(form, version string, allowed ...string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindImportVersion, version,
		"version %s of the form %s cannot be read; allowed: %s", memory.Quote(version, maxShown), form,
		strings.Join(allowed, ", "))
}
