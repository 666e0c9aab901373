package transcript

import (
	"path"
	"slices"
	"strings"
)

type stage struct {
	raw   []string // its words as they were written, without redirections
	words []string // the same without quotes, and without the variables that are set before the command
	into  []string // the files that its output goes to
	op    string   // what follows it: "&&", "||", "|", "&", ";", or "" at the end
}

// shell splits a command line into its stages. It reads as much of a shell's grammar as is needed to tell what ran
// and whose exit status is that of the line.
type shell struct {
	line   string
	at     int
	stages []stage
	loose  bool // a condition, a loop or a negation: no status says which command passed

	now       stage
	raw, word strings.Builder
	inWord    bool
	target    int      // the word that follows is the target of a redirection: see the constants
	ends      []string // of the texts that follow the next line break
}

const (
	noTarget = iota
	outTarget
	otherTarget
	textTarget // the end of a text that follows
)

func splitShell(line string) (stages []stage, loose bool) {
	s := &shell{line: line}
	for s.at < len(s.line) {
		s.next()
	}
	s.endStage("")
	return s.stages, s.loose
}

// next reads one character, or what belongs together.
func (s *shell) next() {
	b, rest := s.line[s.at], s.line[s.at:]
	switch {
	case b == '\\' && len(rest) > 1:
		if s.at += 2; rest[1] != '\n' {
			s.put(rest[:2], rest[1:2])
		}
	case b == '\'' || b == '"' || b == '`' || strings.HasPrefix(rest, "$(") || strings.HasPrefix(rest, "${"):
		n := enclosed(rest)
		inner := rest[:n]
		if b == '\'' || b == '"' {
			inner = strings.Trim(inner, string(b))
		}
		s.at += n
		s.put(rest[:n], inner)
	case b == '#' && !s.inWord:
		s.at += len(rest)
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			s.at += end - len(rest)
		}
	case b == ' ' || b == '\t' || b == '\r' || b == '(' || b == ')':
		s.at++
		s.endWord()
	case b == '>' || b == '<' || strings.HasPrefix(rest, "&>"):
		s.redirect(rest)
	case strings.ContainsRune(";|&\n", rune(b)):
		s.operator(rest)
	default:
		s.at++
		s.put(rest[:1], rest[:1])
	}
}

func (s *shell) put(raw, word string) {
	s.inWord = true
	s.raw.WriteString(raw)
	s.word.WriteString(word)
}

// enclosed returns the length of what a quote, "$(" or "${" begins.
func enclosed(s string) int {
	if len(s) == 1 {
		return 1
	}
	open, end, from := byte(0), s[0], 1
	switch s[:2] {
	case "$(":
		open, end, from = '(', ')', 2
	case "${":
		open, end, from = '{', '}', 2
	}
	depth := 1
	for i := from; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] != '\'':
			i++
		case s[i] == end:
			if depth--; depth == 0 {
				return i + 1
			}
		case s[i] == open:
			depth++
		}
	}
	return len(s)
}

// redirect reads the sign of a redirection.
func (s *shell) redirect(rest string) {
	sign := rest[:len(rest)-len(strings.TrimLeft(rest, "&<>|-"))]
	if strings.Trim(s.word.String(), "0123456789") == "" { // the number of what is redirected
		s.raw.Reset()
		s.word.Reset()
		s.inWord = false
	}
	s.endWord()
	s.at += len(sign)
	switch {
	case strings.HasPrefix(sign, "<<") && sign != "<<<":
		s.target = textTarget
	case strings.HasSuffix(sign, "&") && strings.Contains(sign, ">"), sign[0] == '<':
		s.target = otherTarget
	default:
		s.target = outTarget
	}
}

// operator reads what ends a stage.
func (s *shell) operator(rest string) {
	op := rest[:1]
	switch {
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		op = rest[:2]
	case op == "\n":
		op = ";"
	}
	s.at += len(op)
	s.endStage(op)
	for rest[0] == '\n' && len(s.ends) > 0 && s.at < len(s.line) {
		text, _, _ := strings.Cut(s.line[s.at:], "\n")
		s.at = min(len(s.line), s.at+len(text)+1)
		if strings.TrimSpace(text) == s.ends[0] {
			s.ends = s.ends[1:]
		}
	}
}

func (s *shell) endWord() {
	if !s.inWord {
		return
	}
	raw, word, target := s.raw.String(), s.word.String(), s.target
	s.raw.Reset()
	s.word.Reset()
	s.inWord, s.target = false, noTarget
	switch {
	case target == outTarget:
		s.now.into = append(s.now.into, word)
	case target == textTarget:
		s.ends = append(s.ends, word)
	case target != noTarget:
	case len(s.now.words) == 0 && isOneOf(word, "if elif while until for case ! [["):
		s.loose = true
	case len(s.now.words) == 0 && isOneOf(word, "then else do fi done { } esac"):
	default:
		s.now.raw = append(s.now.raw, raw)
		if len(s.now.words) > 0 || strings.IndexByte(word, '=') <= 0 {
			s.now.words = append(s.now.words, word)
		}
	}
}

func (s *shell) endStage(op string) {
	s.endWord()
	s.now.op = op
	switch last := len(s.stages) - 1; {
	case len(s.now.raw) > 0:
		s.stages = append(s.stages, s.now)
	case last >= 0 && s.stages[last].op == ";":
		s.stages[last].op = op // nothing is between the two
	}
	s.now = stage{}
}

func isOneOf(word, list string) bool { return slices.Contains(strings.Fields(list), word) }

func (s *stage) name() string {
	if len(s.words) == 0 {
		return ""
	}
	return programName(s.words[0])
}

func programName(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// bare returns the words of a stage without those of programs that only start another one.
func (s *stage) bare() []string {
	words := s.words
	for len(words) > 1 {
		first, second := programName(words[0]), words[1]
		switch {
		case isOneOf(first, "env time sudo nice nohup exec command npx bunx pnpx xvfb-run stdbuf"):
			words = words[1:]
		case first == "timeout":
			words = words[1:]
			for len(words) > 1 && (strings.HasPrefix(words[0], "-") ||
				strings.Trim(words[0], "0123456789.smhd") == "") {
				words = words[1:]
			}
		case isOneOf(first, "bundle pnpm yarn npm") && (second == "exec" || second == "dlx"),
			isOneOf(first, "poetry uv pipenv pdm hatch rye") && second == "run",
			strings.HasPrefix(first, "python") && second == "-m":
			words = words[2:]
		case isOneOf(first, "docker docker-compose podman"):
			i := slices.IndexFunc(words, func(w string) bool { return w == "exec" || w == "run" })
			if i < 0 {
				return words
			}
			words = skipFlags(words[i+1:])
			if len(words) < 2 {
				return s.words
			}
			words = words[1:] // the container
		default:
			return words
		}
		words = skipFlags(words)
	}
	return words
}

// skipFlags returns words without the flags and variables that come first.
func skipFlags(words []string) []string {
	for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.IndexByte(words[0], '=') > 0) {
		words = words[1:]
	}
	return words
}
