package memory

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on the files that a memory refers to. Longer values in files count as unreadable.
const (
	MaxRefs           = 20
	MaxRefPathChars   = 300
	MaxRefSymbolChars = 120
	MaxRefLine        = 9_999_999
	MaxRefLines       = 1000 // in a range

	nearDigits = 16
)

// Ref is a file of the work tree that a memory refers to, or a part of one, as it was when the memory
// was written or last verified.
type Ref struct {
	Path   string `json:"path"`             // relative to the top of the work tree, with slashes
	Blob   string `json:"blob,omitempty"`   // git's id of the file's content, in hex; empty: never looked at
	Line   int    `json:"line,omitempty"`   // from 1; 0: the whole file, or Symbol
	End    int    `json:"end,omitempty"`    // the last line of a range; 0: Line alone
	Symbol string `json:"symbol,omitempty"` // a name in the file; only without Line
	Near   string `json:"near,omitempty"`   // hash of the lines at Line or Symbol, in hex; empty: not looked at
}

// RefState is the state of the file that a [Ref] names.
type RefState string

// The states of a reference. For a line or a symbol, only the text around it counts.
const (
	RefFresh   RefState = "fresh"   // it is as it was
	RefChanged RefState = "changed" // it has another content
	RefMoved   RefState = "moved"   // its content is in another file now
	RefGone    RefState = "gone"    // there is no such file
)

// String returns a reference as people write it: PATH, PATH:LINE, PATH:LINE-END or PATH#SYMBOL.
func (r Ref) String() string {
	switch {
	case r.Symbol != "":
		return r.Path + "#" + r.Symbol
	case r.End > 0:
		return r.Path + ":" + strconv.Itoa(r.Line) + "-" + strconv.Itoa(r.End)
	case r.Line > 0:
		return r.Path + ":" + strconv.Itoa(r.Line)
	}
	return r.Path
}

// Same reports whether two references name the same part of the same file.
func (r Ref) Same(o Ref) bool {
	return r.Path == o.Path && r.Line == o.Line && r.End == o.End && r.Symbol == o.Symbol
}

// ParseRef reads what [Ref.String] returns. Backslashes count as slashes.
func ParseRef(s string) (Ref, error) {
	var r Ref
	name, symbol, isSymbol := strings.Cut(strings.TrimSpace(s), "#")
	if isSymbol {
		if r.Symbol = symbol; symbol == "" {
			return Ref{}, refMalformed(s)
		}
	} else if at := strings.LastIndexByte(name, ':'); at >= 0 {
		var ok bool
		if r.Line, r.End, ok = ParseRefLines(name[at+1:]); !ok {
			return Ref{}, refMalformed(s)
		}
		name = name[:at]
	}
	r.Path = name
	r, ok := r.normal()
	if !ok {
		return Ref{}, refMalformed(s)
	}
	return r, nil
}

// NormalizeRefs returns references in their stored form, without repeated ones, and nil for none.
func NormalizeRefs(refs []Ref) ([]Ref, error) {
	var out []Ref
	for _, given := range refs {
		r, ok := given.normal()
		if !ok {
			return nil, refMalformed(given.String())
		}
		if !slices.ContainsFunc(out, r.Same) {
			out = append(out, r)
		}
		if len(out) > MaxRefs {
			return nil, NewError(CodeInvalid, KindRefsTooMany, "refs", "refs name %d files; at most %d are allowed",
				len(refs), MaxRefs)
		}
	}
	return out, nil
}

// IsNormal reports whether a reference is in its stored form.
func (r Ref) IsNormal() bool {
	n, ok := r.normal()
	return ok && n == r
}

// normal returns a reference in its stored form. ok is false if it has none.
func (r Ref) normal() (n Ref, ok bool) {
	if r.Path, ok = refPath(r.Path); !ok {
		return r, false
	}
	if r.End == r.Line {
		r.End = 0
	}
	switch {
	case r.Line < 0 || r.Line > MaxRefLine || r.End < 0 || r.End > MaxRefLine:
		return r, false
	case r.End > 0 && (r.Line == 0 || r.End < r.Line || r.End-r.Line >= MaxRefLines):
		return r, false
	case r.Symbol != "" && (r.Line > 0 || !isRefSymbol(r.Symbol)):
		return r, false
	case r.Blob != "" && !IsBlob(r.Blob):
		return r, false
	case r.Near != "" && (len(r.Near) != nearDigits || !isHex(r.Near)):
		return r, false
	}
	if r.Line == 0 && r.Symbol == "" {
		r.Near = ""
	}
	return r, true
}

// refPath returns a path in its stored form. ok is false if it could lead outside of the work tree
// or into git's own files on any system.
func refPath(p string) (clean string, ok bool) {
	if isPlainPath(p) {
		return p, true
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if p == "" || !isLine(p, MaxRefPathChars) || strings.HasPrefix(p, "/") || strings.ContainsAny(p, ":#") {
		return "", false
	}
	if clean = path.Clean(p); clean == "." {
		return "", false
	}
	for _, part := range strings.Split(clean, "/") {
		if part == ".." || isGitDir(part) || strings.TrimSpace(part) != part {
			return "", false
		}
	}
	return clean, true
}

// isPlainPath reports whether a path is surely in its stored form, as most are: short names of letters
// and digits, none of which begins with a dot. The caches of a store are full of them.
func isPlainPath(p string) bool {
	before := byte('/')
	for i := range len(p) {
		c := p[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-':
		case (c == '.' || c == '/') && before != '/':
		default:
			return false
		}
		before = c
	}
	return before != '/' && len(p) <= MaxRefPathChars
}

// isGitDir reports whether some system takes a name for that of git's directory: with other cases,
// with dots or spaces at its end, as the short name of it, or with characters that have no width.
func isGitDir(name string) bool {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name = strings.TrimRight(name, ". ")
	return name == ".git" || name == "git~1"
}

func isRefSymbol(s string) bool {
	return isLine(s, MaxRefSymbolChars) && !strings.ContainsFunc(s, unicode.IsSpace)
}

// IsBlob reports whether s is an id of git, of either of its hashes.
func IsBlob(s string) bool {
	return (len(s) == 40 || len(s) == 64) && isHex(s)
}

// isHex reports whether s has nothing but hex digits. A table has no branches, which a processor cannot predict for
// such text, and the caches of a store have thousands of ids.
func isHex(s string) bool {
	all := byte(1)
	for i := range len(s) {
		all &= hexDigits[s[i]]
	}
	return all == 1
}

// hexDigits has 1 for each byte that is a hex digit, and 0 for the others.
const (
	hexDigits = none16 + none16 + none16 + "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x00\x00" +
		none16 + none16 + "\x00\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00" + none16 +
		none16 + none16 + none16 + none16 + none16 + none16 + none16 + none16
	none16 = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
)

// ParseRefLines reads the lines of a reference: one number, or two with "-" between them.
func ParseRefLines(s string) (line, end int, ok bool) {
	first, last, isRange := strings.Cut(s, "-")
	if line, ok = refLine(first); isRange && ok {
		end, ok = refLine(last)
	}
	return line, end, ok
}

// refLine reads the number of a line.
func refLine(s string) (int, bool) {
	if s == "" || len(s) > 7 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

func refMalformed(s string) error {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "�")
	}
	return NewError(CodeInvalid, KindRefMalformed, s, "%s is not a reference to a file; "+
		"a reference is PATH, PATH:LINE, PATH:FIRST-LAST or PATH#SYMBOL, with a path "+
		"below the top of the work tree and outside of .git", Quote(s, 80))
}
