package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// content returns the text of a memory: the argument, or standard input if the argument is
// "-" or missing and something is piped in.
func (a *app) content(arg string, given bool) (string, error) {
	if given && arg != "-" {
		return arg, nil
	}
	if !given && terminal.Is(a.stdin) {
		return "", invalid(`give it as an argument, or pipe it in: ltm remember TOPIC - < notes.md`,
			"there is no content")
	}
	data, err := a.readInput(memory.MaxContentBytes + 1)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(string(data)) == "" {
		return "", invalid("pipe the text in, or give it as an argument", "standard input is empty")
	}
	return string(data), nil
}

// errInterrupted means that a signal ended the program while it waited for input.
var errInterrupted = errors.New("interrupted; " + advice.Unchanged)

// untilEnded reads standard input until a signal asks the program to end. In that case the
// read continues in the background until the process exits.
func (a *app) untilEnded(read func() ([]byte, error)) ([]byte, error) {
	var data []byte
	var err error
	done := make(chan struct{})
	go func() {
		data, err = read()
		close(done)
	}()
	select {
	case <-done:
		return data, err
	case <-a.ended:
		return nil, errInterrupted
	}
}

// readInput returns standard input, or its first most bytes.
func (a *app) readInput(most int64) ([]byte, error) {
	data, err := a.untilEnded(func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.stdin, most)) })
	if err != nil && !errors.Is(err, errInterrupted) {
		err = unusable("", "cannot read standard input", err)
	}
	return data, err
}

// asks reports whether a person can be asked something on a terminal.
func (a *app) asks() bool { return terminal.Is(a.stdin) && terminal.Is(a.stderr) }

// confirm asks a question on a terminal. Without one, the answer is no.
func (a *app) confirm(question string) bool {
	if !a.asks() {
		return false
	}
	fmt.Fprintf(a.stderr, "%s [y/N] ", clean(question))
	line, err := a.readLine()
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes")
}

// agree asks a question unless the person has agreed already. The error says why it is asked.
func (a *app) agree(yes bool, question, why string) error {
	if yes || a.confirm(question) {
		return nil
	}
	return invalid("--yes does it without asking", "%s", why)
}

// readLine returns a line of standard input, or "" at its end.
func (a *app) readLine() (string, error) {
	line, err := a.untilEnded(func() ([]byte, error) { return bufio.NewReader(a.stdin).ReadBytes('\n') })
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return string(line), err
}

const (
	// fromInput as an argument means standard input.
	fromInput = "-"

	// maxInputBytes is the maximum size of the listing that ids are read from.
	maxInputBytes = 64 << 20
)

// selection is the memories that a command was given.
type selection struct {
	ids  []string // whole ids, each once
	many bool     // given in a form that allows several: the answer is a list
}

// selectIDs looks up the ids that a command was given, whole or abbreviated, before anything
// is changed, and returns the store that they are in. "-" reads more ids from standard input,
// the first word of each line, as listings print them.
func (a *app) selectIDs(ctx context.Context, given []string) (*engine.Engine, selection, error) {
	s := selection{many: len(given) > 1}
	var texts []string
	for i, text := range given {
		if text != fromInput {
			texts = append(texts, text)
			continue
		}
		if slices.Contains(given[:i], fromInput) {
			return nil, s, invalid("give it once", `"-" reads standard input, which can be read once`)
		}
		a.sayReading("ids, one per line,")
		s.many = true
		read, err := a.readIDs()
		if err != nil {
			return nil, s, err
		}
		texts = append(texts, read...)
	}
	e, found, err := a.holding(ctx, texts)
	s.ids = append(s.ids, each(found, func(id memory.ID) string { return string(id) })...)
	return e, s, err
}

// withIDs looks up the ids that a command was given, and calls do with them and the store that they are in. If standard
// input has none, the answer is the empty list, and do is not called.
func (a *app) withIDs(ctx context.Context, given []string, empty any, do func(*engine.Engine, selection) error) error {
	e, s, err := a.selectIDs(ctx, given)
	if err != nil {
		return err
	}
	if len(given) > 0 && len(s.ids) == 0 {
		a.sayNoIDs()
		if a.asJSON {
			return a.printJSON(empty)
		}
		return nil
	}
	return do(e, s)
}

// changeIDs is withIDs for a change, of which each memory has a receipt in a list.
func (a *app) changeIDs(ctx context.Context, given []string,
	change func(e *engine.Engine, ids []string) ([]api.Receipt, error)) error {
	return a.withIDs(ctx, given, receiptList{[]api.Receipt{}}, func(e *engine.Engine, s selection) error {
		receipts, err := change(e, s.ids)
		if err != nil {
			return err
		}
		s.many = true
		return printReceipts(a, s, receipts)
	})
}

func printReceipts(a *app, s selection, receipts []api.Receipt) error {
	return printAnswers(a, s, receipts, receiptList{receipts}, func(r api.Receipt) string { return say(r.Message) })
}

func (a *app) sayNoIDs() {
	fmt.Fprintln(a.stderr, advice.Join("no ids on standard input", advice.Unchanged))
}

// sayReading tells a person on a terminal what ltm waits for.
func (a *app) sayReading(what string) {
	if a.asks() {
		fmt.Fprintf(a.stderr, "ltm: reading %s from the terminal; Ctrl-D ends it\n", what)
	}
}

// oneID looks up the id of a command that takes one.
func (a *app) oneID(ctx context.Context, given string) (*engine.Engine, string, error) {
	e, found, err := a.holding(ctx, []string{given})
	if err != nil {
		return nil, "", err
	}
	return e, string(found[0]), nil
}

// readIDs returns the first word of every line of standard input.
func (a *app) readIDs() ([]string, error) {
	data, err := a.readInput(maxInputBytes + 1)
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxInputBytes:
		return nil, invalid("", "standard input has more than %d bytes", maxInputBytes)
	}
	return firstWords(string(data)), nil
}

// firstWords returns the first word of every line that has one.
func firstWords(text string) []string {
	var words []string
	for line := range strings.Lines(text) {
		if all := strings.Fields(line); len(all) > 0 {
			words = append(words, all[0])
		}
	}
	return words
}

// wholeIDs refuses abbreviated ids for commands that cannot be undone: a typo must not select a memory.
func wholeIDs(given []string) error {
	for _, text := range given {
		if text == fromInput {
			return invalid("", "what cannot be undone does not take ids from standard input")
		}
		if _, err := memory.ParseID(text); err != nil {
			if _, ok := memory.ParseIDPrefix(text); ok {
				return invalid("give the whole id",
					"what cannot be undone does not take the beginning of an id, such as %q", text)
			}
			return err
		}
	}
	return nil
}

// forgottenList is what forgetting several memories prints for programs.
type forgottenList struct {
	Forgotten []api.Forgotten `json:"forgotten"`
}

// memoryList is what several memories are shown as for programs.
type memoryList struct {
	Memories []authoredDetail `json:"memories"`
}

// printAnswers prints the answers for the memories of a selection: for programs, the one
// answer if one memory was named and the list otherwise; for people, a line for each.
func printAnswers[T any](a *app, s selection, answers []T, list any, line func(T) string) error {
	switch {
	case a.asJSON && !s.many && len(answers) == 1:
		return a.printJSON(answers[0])
	case a.asJSON:
		return a.printJSON(list)
	}
	for _, answer := range answers {
		if err := a.println(clean(line(answer))); err != nil {
			return err
		}
	}
	return nil
}
