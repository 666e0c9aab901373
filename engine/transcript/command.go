package transcript

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type Ending int

const (
	Unknown Ending = iota
	Passed
	Failed
)

// Run is a command line that the session ran to do or to check something, and how it ended.
type Run struct {
	Line   string // as it was run
	Name   string // what of it did the work: without what only shows or keeps its output
	Check  bool   // it tests, builds or the like, as far as its name says
	Ended  Ending
	Sure   bool   // its exit status says so, and not only its output
	Status int    // its exit status, or that of the line; -1: not known
	Output string // the lines of its output that tell most
	At     time.Time

	parts [][]string // the words of each command in Name, without what only starts it
	where string     // the directory that it changed to
	into  []string   // the files that its output went to
	task  string     // the client's id of it, while it runs in the background

	unread *unread // nil: Ended is known
}

// unread is how a command ended, which takes long to read, and is not needed of most.
type unread struct {
	parsed parsed
	output string
	failed bool
}

// Like reports whether a run ran a program that an earlier one ran, for the same purpose, whatever its arguments.
func (r *Run) Like(earlier *Run) bool {
	same := r.where == earlier.where && slices.ContainsFunc(r.parts, func(words []string) bool {
		return slices.ContainsFunc(earlier.parts, func(e []string) bool { return kindOf(words) == kindOf(e) })
	})
	return same || r.Name == earlier.Name
}

// Covers reports whether a run did all that an earlier one did: its arguments select as much or more.
func (r *Run) Covers(earlier *Run) bool {
	all := r.where == earlier.where && !slices.ContainsFunc(earlier.parts, func(e []string) bool {
		return !slices.ContainsFunc(r.parts, func(words []string) bool { return covers(words, e) })
	})
	return all || r.Name == earlier.Name
}

func covers(words, earlier []string) bool {
	return kindOf(words) == kindOf(earlier) && !slices.ContainsFunc(words, func(word string) bool {
		everything := isOneOf(word, ". ./... --all --workspace")
		quiet := isOneOf(word, "-v -vv -q -s -x --verbose --quiet --silent -race -count=1")
		return !everything && !quiet && !slices.Contains(earlier, word)
	})
}

// kindOf returns a program and what it is to do, such as "go test" or "npm run lint".
func kindOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	kind, rest := programName(words[0]), words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		valued := isOneOf(rest[0], "-C -f -p -w --prefix --filter --workspace --dir --cwd")
		if rest = rest[1:]; valued && len(rest) > 0 {
			rest = rest[1:]
		}
	}
	if isOneOf(kind, "pytest py.test jest vitest mocha ava rspec phpunit tox nox ctest eslint tsc mypy pyright ruff "+
		"flake8 pylint rubocop golangci-lint staticcheck shellcheck stylelint biome") { // what follows is checked
		return kind
	}
	for i, word := range rest {
		plain := strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz0123456789:_-") == ""
		if i == 2 || i == 1 && rest[0] != "run" || !plain {
			break
		}
		kind += " " + word
	}
	return kind
}

// checking matches what in a command says that it checks something.
var checking = matching(`(?i)test|spec|check|lint|\bvet\b|build|compile|verify|validate|\bci\b|tsc\b|mypy|pyright|` +
	`ruff|flake8|jest|mocha|rubocop|clippy|phpstan|\btox\b|\bnox\b|\bmake\b|\bjust\b|\brake\b|gradle|\bmvn|` +
	`\bbazel|\bninja\b|cypress|playwright|javac|\bgcc\b|\bg\+\+|\bclang|rustc|\be2e\b`)

// changing matches what in a command says that it gets or changes something instead.
var changing = matching(`(?i)^\S+ (install|add|i|init|create|remove|uninstall|update|upgrade|up|start|get|mod|fmt)\b`)

func (s *stage) checks() bool {
	words := s.bare()
	text := strings.Join(words[:min(len(words), 4)], " ")
	return checking().MatchString(text) && !changing().MatchString(text)
}

// looks reports whether a stage only shows or moves something: that it passed says nothing about the work. changes
// reports whether it matters all the same if it failed.
func (s *stage) looks() (looks, changes bool) {
	words := s.bare()
	if len(words) == 0 {
		return true, false
	}
	name := programName(words[0])
	if slices.ContainsFunc([]string{"Get-", "Select-", "Write-", "Out-", "Measure-"}, func(verb string) bool {
		return strings.HasPrefix(name, verb)
	}) {
		return true, false
	}
	switch name {
	case "", "[", "ag", "awk", "cat", "cd", "cmp", "column", "cut", "date", "df", "diff", "du", "echo", "egrep", "env",
		"exit", "export", "false", "fd", "fgrep", "file", "find", "grep", "head", "history", "hostname", "jq", "less",
		"local", "ls", "man", "more", "popd", "printenv", "printf", "ps", "pushd", "pwd", "return", "rg", "sed", "set",
		"sleep", "sort", "source", "stat", "tail", "tee", "test", "time", "tr", "tree", "true", "type", "ulimit",
		"uname", "uniq", "unset", "wait", "wc", "which", "whoami", "xargs", ".", ":":
		return true, false
	case "chmod", "cp", "kill", "ln", "ltm", "mkdir", "mv", "pkill", "rm", "rmdir", "touch":
		return true, true
	case "git":
		return true, !isOneOf(gitCommand(words), "blame branch diff grep log ls-files rev-parse show status")
	}
	return false, false
}

func gitCommand(words []string) string {
	for i := 1; i < len(words); i++ {
		switch {
		case words[i] == "-C" || words[i] == "-c":
			i++
		case !strings.HasPrefix(words[i], "-"):
			return words[i]
		}
	}
	return ""
}

// parsed is a command line, and what in it did the work.
type parsed struct {
	stages []stage
	loose  bool
	did    []int // the stages that did the work: all that check something, or else the last one
	check  bool
}

func parseCommand(line string) parsed {
	var p parsed
	p.stages, p.loose = splitShell(line)
	if len(p.stages) == 1 && len(p.stages[0].words) > 2 && len(p.stages[0].into) == 0 {
		words := p.stages[0].words
		if isOneOf(programName(words[0]), "sh bash zsh") &&
			strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
			return parseCommand(words[2])
		}
	}
	for i := range p.stages {
		s := &p.stages[i]
		looks, _ := s.looks()
		checks := !looks && s.checks()
		switch {
		case looks || p.check && !checks:
		case checks && p.check:
			p.did = append(p.did, i)
		default:
			p.did, p.check = []int{i}, checks
		}
	}
	return p
}

// name returns what of a line did the work, and in which directory, as it would be run again.
func (p *parsed) name() (name, where string) {
	var parts []string
	for i, s := range p.stages {
		did := slices.Contains(p.did, i)
		if did || s.name() == "cd" && len(p.did) > 0 && i < p.did[0] {
			parts = append(parts, strings.Join(s.raw, " "))
		}
		if !did && s.name() == "cd" && len(s.words) > 1 {
			where = s.words[1]
		}
	}
	return strings.Join(parts, " && "), where
}

// fails reports whether a line that only looks matters if it failed, and commits whether it commits.
func (p *parsed) fails() bool {
	return slices.ContainsFunc(p.stages, func(s stage) bool {
		_, changes := s.looks()
		return changes
	})
}

func (p *parsed) commits() bool {
	return slices.ContainsFunc(p.stages, func(s stage) bool {
		words := s.bare()
		return s.name() == "git" && gitCommand(words) == "commit" && !slices.Contains(words, "--dry-run")
	})
}

// owned reports whether the exit status of the line says of each command that did the work that it passed.
func (p *parsed) owned() bool {
	if p.loose || len(p.did) == 0 {
		return false
	}
	last := &p.stages[len(p.stages)-1]
	told := last.name() == "exit" || last.name() == "test" || last.name() == "["
	if told && strings.Contains(strings.ToUpper(p.text()), "PIPESTATUS") {
		return true
	}
	return !slices.ContainsFunc(p.did, func(i int) bool { return !p.proven(i, told) })
}

func (p *parsed) text() string {
	var all []string
	for _, s := range p.stages {
		all = append(all, s.raw...)
	}
	return strings.Join(all, " ")
}

// proven reports whether one stage must have passed if the line did. told means that the line ends with a status that
// it took before.
func (p *parsed) proven(i int, told bool) bool {
	pipe, stop := p.options(i)
	if i > 0 && p.stages[i-1].op == "||" {
		return false
	}
	for ; i < len(p.stages); i++ {
		switch op := p.stages[i].op; {
		case op == "" || op == "&&":
		case op == ";":
			if i == len(p.stages)-1 || told && strings.Contains(p.text(), "$?") {
				return true
			}
			if !stop {
				return false
			}
		case op == "|" && !pipe, op == "||", op == "&":
			return false
		}
	}
	return true
}

// options reports whether a stage's line lets failures in a pipe count (pipefail), and stops at a failure.
func (p *parsed) options(before int) (pipe, stop bool) {
	for _, s := range p.stages[:before] {
		if s.name() != "set" {
			continue
		}
		for _, word := range s.words[1:] {
			pipe = pipe || word == "pipefail"
			stop = stop || strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, "e")
		}
	}
	return pipe, stop
}

// status returns the exit status that a line printed itself, such as by echo "exit: $?".
func (p *parsed) status(output string) (status int, ok bool) {
	for i, s := range p.stages {
		if name := s.name(); i == 0 || name != "echo" && name != "printf" || len(p.did) == 0 || p.did[0] > i {
			continue
		}
		said := strings.Join(s.words[1:], " ")
		taken := strings.Contains(strings.ToUpper(said), "PIPESTATUS")
		if pipe, _ := p.options(i); !taken && (!strings.Contains(said, "$?") || p.stages[i-1].op != ";" ||
			i-1 != p.did[len(p.did)-1] && !pipe) {
			continue
		}
		const number = "\x00"
		said = statuses().ReplaceAllString(said, number)
		said = strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(said, `\n`)), number, `(\d{1,3})`)
		format, err := regexp.Compile(`(?m)^\s*` + said + `\s*$`)
		if err != nil {
			continue
		}
		if all := format.FindAllStringSubmatch(output, -1); len(all) > 0 && len(all[len(all)-1]) > 1 {
			n, _ := strconv.Atoi(all[len(all)-1][1]) // digits
			return n, true
		}
	}
	return 0, false
}

var statuses = matching(`(?i)\$\{?pipestatus(\[\d\])?\}?|\$\?`)

// filtered reports whether what the work printed was not shown whole, apart from its beginning and from what says
// that it did not fail.
func (p *parsed) filtered() bool {
	return slices.ContainsFunc(p.stages, func(s stage) bool {
		return isOneOf(s.name(), "grep egrep fgrep rg head awk sed cut wc uniq jq Select-String") &&
			!strings.Contains(strings.ToLower(strings.Join(s.words, " ")), "fail")
	})
}
