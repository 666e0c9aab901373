package transcript

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// MaxOutput is the length of what an outline keeps of a command's output, in characters.
const MaxOutput = 480

// matching returns what compiles an expression when it is first needed.
func matching(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// What compilers and the runners of tests print: go, cargo, npm, jest, vitest, mocha, node, pytest, unittest, rspec,
// phpunit, gradle, maven, dotnet, ctest, make, tsc, eslint and others. Numbers of failures count unless they are 0, and
// only where a summary would have them: "retries 2 failed payments" is the name of a test.
var (
	failing = matching(`^\s*-+ FAIL|^\s*FAIL\b|: FAIL\b|\.{3,} *(?i:fail|failed|error)$|` +
		`\bFAILED\b(?:[^:=0-9(]|[:(=]\s*[1-9(]|$)|FAILURES?!|^BUILD FAIL|` +
		`\b[1-9]\d*\s+(?:[\w()]+\s+)?(?i:failed|failing|failures?|fails?|errors?|broken)\s*(?:$|[.,;:|()\]=]|` +
		`in\b|out of\b|gen|with\b|and\b|found\b|locally\b)|` +
		`(?:^|: )(?i:(?:the |some )?(?:test run|tests|build|compilation) failed)\b[.!]?$|^Failed \d+/\d|` +
		`(?i:style issues found in)|` +
		`(?i:\b(?:failures?|errors?|failed|errored)\s*[:=]\s*[1-9])|^\W*fail\s+[1-9]|^not ok\b|^error(?:\[\w+\])?:|` +
		`error TS\d|\): error \w|^panic:|^Traceback|^\s*[✕✗×✘]\s|^\s*● .* › |^E   |^Failed to compile|^ERROR in |` +
		`npm (?:ERR!|error) |ELIFECYCLE|^make.*\*\*\* |` +
		`^\S+\.go:\d+:\d+: |[A-Za-z)]:\d+(?::\d+)?:? (?:fatal )?error\b|^\s+\d+:\d+\s+error\s|panicked at|` +
		`AssertionError|Segmentation fault|exit(?:ed with)? (?:code|status) [1-9]|undefined reference to|` +
		`^\[(?i:error)\]|\(Failed\)|^\s+Failed \S|^\s+\d+\) `)

	// weak is what programs print that fail, and tests that expect a failure.
	weak = matching(`^(?:[\w.]+(?:Error|Exception)|[Ee]rror|ERROR|[Ff]atal|FATAL)\b ?:| ERROR: |│ Error: |` +
		`command not found|No such file or directory|` +
		`Exception in thread|Unhandled`)

	passing = matching(`\b[1-9]\d*%?\s+(?:\w+\s+)?(?i:passed|passing|passes|pass|succeeded)\b|` +
		`(?i:\b(?:0|no) (?:[\w()]+ )?(?:failures?|failed|errors?|problems?|issues|warnings?)\b)|` +
		`(?i:\b(?:failures?|fail|failed|errors?)\s*[:=]?\s+0\b)|^test result: ok|^OK\b|BUILD SUCC|[Bb]uild succeeded|` +
		`(?i:compiled successfully)|^\s*Finished .*(?:dev|release|test)|` +
		`\bExecuted \d+ of \d+ SUCCESS|\*\* \w+ SUCCEEDED \*\*|^Success[!:]|` +
		`^Result: PASS|^DONE [1-9]\d* tests\b.* in \d|^Apply complete!|^\s*congratulations :\)`)

	// overall is what a runner says of all its tests, even with a mark as that of one.
	overall = matching(`(?i:\ball (?:\w+ )?(?:checks|tests|files|specs)\b.* (?:passed|ok|use|successful)\b)`)

	// partly is what one package of several prints.
	partly = matching(`^ok\s+\S|^PASS\b|^\s*[✓✔√]\s|\.{3,}Passed$`)

	// named are the lines that name a test that passed, whatever the name says.
	named = matching(`^\s*(?:[✓✔√]|ok \d|--- PASS|PASS |test .* \.\.\. ok$|\S+ PASSED)`)

	// empty are lines of failures that tell nothing more.
	empty = matching(`^\s*(?:FAIL(?:\s+\S+\s+[\d.]+m?s)?|exit status \d+|Exit code \d+|[Ff]ailures:|` +
		`npm (?:ERR!|error) (?:A complete log|\s*/|code|errno).*)$`)

	colors = matching("\x1b\\[[0-9;?]*[A-Za-z]")
)

// has reports whether a line has one of some words, which are in small letters: that is far faster than to match.
func has(line string, words ...string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) })
}

// complains reports whether a line may say that something failed.
func complains(line string) bool {
	return has(line, "fail", "err", "panic", "trace", "exit", "exce", "broken", "undef", "segm", "compile", "unhandled",
		"not found", "no such", "fatal", "style issues", "assert", "lifecycle", "not ok", ".go:", "***", ") ", "e   ",
		"✕", "✗", "×", "✘", "●")
}

func isFailure(line string) bool {
	return complains(line) && !named().MatchString(line) && (failing().MatchString(line) || weak().MatchString(line))
}

// judged is how many of the last lines that may say something are read.
const judged = 40

// judge says what the output of a command tells about how it ended. filtered means that some of it is not there. A
// failure is certain unless tests that pass may print the same, or a summary after it says that they passed.
func judge(output string, filtered bool) (end Ending, certain bool) {
	passed, summed, bad, read := false, false, false, 0
	for _, line := range slices.Backward(strings.Split(output, "\n")) {
		if line = strings.TrimRight(line, "\r "); read == judged {
			break
		}
		good := has(line, "ok", "pass", "succ", "issue", "problem", "warning", "finished", "compile", "fail", "err",
			"use", "done", "complete", "congrat", "✓", "✔", "√")
		if complains(line) && !named().MatchString(line) {
			read++
			if failing().MatchString(line) {
				return Failed, !summed
			}
			bad = bad || weak().MatchString(line)
		}
		if good && !passed {
			read++
			summed = overall().MatchString(line) || !named().MatchString(line) && passing().MatchString(line)
			passed = summed || !filtered && partly().MatchString(line)
		}
	}
	switch {
	case passed:
		return Passed, true
	case bad:
		return Failed, false
	}
	return Unknown, false
}

const (
	outputLines = 7
	outputWidth = 200
)

// telling returns the lines of an output that tell most: from the first one that says what failed, or else the last
// ones.
func telling(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.Trim(strings.TrimRight(line, "\r\n\t "), "=")
		if strings.Trim(line, "-=~_*# ") != "" && !(has(line, "fail", "ok", "pass", "exit", "npm", "✓", "✔", "√") &&
			(empty().MatchString(line) || named().MatchString(line))) {
			lines = append(lines, clip(line, outputWidth))
		}
	}
	first := slices.IndexFunc(lines, isFailure)
	if first < 0 {
		return clip(strings.Join(lines[max(0, len(lines)-outputLines/2):], "\n"), MaxOutput)
	}
	if first > 0 && strings.HasPrefix(lines[first], " ") { // what it belongs to
		first--
	}
	told := lines[first:min(len(lines), first+outputLines-1)]
	for _, line := range slices.Backward(lines[first+len(told):]) {
		if isFailure(line) {
			told = append(told[:len(told):len(told)], line)
			break
		}
	}
	return clip(strings.Join(told, "\n"), MaxOutput)
}

// How much of an output is looked at, in bytes, of its beginning and its end.
const (
	outputHead = 4 << 10
	outputTail = 12 << 10
)

// plain returns an output without colors, and of a long one the beginning and the end.
func plain(output string) string {
	if n := len(output); n > outputHead+outputTail {
		output = output[:outputHead] + "\n" + output[n-outputTail:]
	}
	output = strings.ToValidUTF8(output, "\ufffd")
	if !strings.Contains(output, "\x1b") {
		return output
	}
	return colors().ReplaceAllString(output, "")
}
