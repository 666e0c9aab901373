package transcript

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// command adds a command that ended, or that goes on in the background.
func (d *outliner) command(call openCall, res block) {
	var in struct {
		Command    string
		Background bool `json:"run_in_background"`
	}
	_ = json.Unmarshal(call.input, &in)
	line := strings.TrimSpace(strings.ToValidUTF8(in.Command, "\ufffd"))
	output := plain(resultText(res.content))
	if line == "" || strings.HasPrefix(output, "<tool_use_error>") { // it did not run
		return
	}
	p := parseCommand(line)
	if len(p.did) == 0 {
		d.looked(&p, line, output, res.failed)
	} else {
		d.ran(&p, line, output, res.failed, in.Background)
	}
	if p.commits() && !res.failed && !strings.Contains(output, "nothing to commit") {
		d.settled = true
	}
}

func (d *outliner) run(p *parsed, line, output string, failed bool) *Run {
	at, _ := time.Parse(time.RFC3339, unquote(d.line.at)) // zero if it is not known
	r := &Run{Line: clip(line, MaxCommand), Check: p.check, At: at}
	if failed {
		r.Status = statusOf(output)
	}
	name, where := p.name()
	if where != d.Directory {
		r.where = where
	}
	r.Name = clip(name, MaxCommand)
	for _, i := range p.did {
		r.parts = append(r.parts, p.stages[i].bare())
		r.into = append(r.into, p.stages[i].into...)
	}
	for i, s := range p.stages {
		if s.name() == "tee" && i > 0 && p.stages[i-1].op == "|" {
			r.into = append(r.into, skipFlags(s.words[1:])...)
		}
	}
	return r
}

// taskID matches where the client names a command that goes on in the background.
var taskID = matching(`ID: ([\w-]+)`)

// numbered matches the numbers before the lines of a file that a tool shows.
var numbered = matching(`(?m)^ *\d+[→\t]`)

// ran adds a command that does more than look.
func (d *outliner) ran(p *parsed, line, output string, failed, background bool) {
	r := d.run(p, line, output, failed)
	if background {
		if found := taskID().FindStringSubmatch(output); found != nil {
			r.task = found[1]
		}
	} else {
		r.unread = &unread{*p, output, failed}
	}
	d.add(Step{Kind: Ran, Run: r})
	if d.settled {
		r.read()
		d.settled = r.Ended != Failed
	}
}

func (r *Run) read() {
	u := r.unread
	if u == nil {
		return
	}
	r.unread = nil
	r.Ended, r.Sure = u.parsed.ending(u.output, u.failed)
	if n, ok := u.parsed.status(u.output); ok && !u.failed {
		r.Status, r.Sure, r.Ended = n, true, Passed
		if n != 0 {
			r.Ended = Failed
		}
	}
	if r.Ended != Passed {
		r.Output = telling(u.output)
	}
}

// ending says how a line ended, and whether its exit status says so. A check that prints that it failed did: what calls
// it may hide its status. If it is not certain that what was printed is a failure, nothing says how it ended.
func (p *parsed) ending(output string, failed bool) (end Ending, sure bool) {
	owned := p.owned()
	switch next := p.stages[p.did[len(p.did)-1]].op; {
	case failed && (owned || next == "||"):
		return Failed, owned
	}
	switch says, certain := judge(output, p.filtered()); {
	case owned && says != Failed:
		return Passed, true
	case owned && !(certain && p.check):
		return Unknown, false
	case says != Unknown || !failed || isOneOf(p.stages[len(p.stages)-1].name(), "grep egrep fgrep rg diff cmp test ["):
		return says, false // the status of the last ones says whether something was found
	}
	return Failed, false
}

// looked adds what a line that only looks says: of a failure that matters, of its end, or of what an earlier command
// printed into a file.
func (d *outliner) looked(p *parsed, line, output string, failed bool) {
	for _, s := range p.stages {
		for _, word := range s.words {
			d.printed(word, output, p.filtered())
		}
	}
	if !p.fails() {
		return
	}
	for i := range p.stages {
		if _, changes := p.stages[i].looks(); changes {
			p.did = []int{i}
		}
	}
	r := d.run(p, line, output, failed)
	r.Sure, r.Ended = p.owned(), Passed
	if failed {
		r.Ended, r.Output = Failed, telling(output)
	}
	like := func(s Step) bool { return s.Kind == Ran && r.Like(s.Run) }
	if failed || slices.ContainsFunc(d.Steps, like) {
		d.add(Step{Kind: Ran, Run: r})
	}
}

// shown adds what a tool shows of a command in the background, or of a file.
func (d *outliner) shown(call openCall, res block) {
	var in struct {
		Bash string `json:"bash_id"`
		Task string `json:"task_id"`
		File string `json:"file_path"`
	}
	_ = json.Unmarshal(call.input, &in)
	output := plain(resultText(res.content))
	if in.File != "" {
		d.printed(in.File, numbered().ReplaceAllString(output, ""), false)
		return
	}
	d.ended(in.Bash+in.Task, output)
}

// notified adds what the client says of a command in the background.
func (d *outliner) notified(text string) {
	if id, ok := inside(text, "task-id"); ok {
		d.ended(id, text)
	}
}

// ended adds how a command in the background ended, if a text says so.
func (d *outliner) ended(task, text string) {
	i := slices.IndexFunc(d.Steps, func(s Step) bool { return s.Kind == Ran && s.Run.task == task })
	status, _ := inside(text, "status")
	if i < 0 || task == "" || status == "running" || status == "pending" {
		return
	}
	r := d.Steps[i].Run
	code, ok := inside(text, "exit_code")
	if !ok {
		_, code, ok = strings.Cut(text, "exit code ")
		code = code[:len(code)-len(strings.TrimLeft(code, "0123456789"))]
	}
	if n, err := strconv.Atoi(code); ok && err == nil && n >= 0 && n <= 255 {
		p := parseCommand(r.Line)
		r.Status = n
		r.Ended, r.Sure = p.ending(text, n != 0)
	} else if says, _ := judge(text, false); says == Failed || says == Passed && status != "killed" {
		r.Ended = says
	} else if status == "failed" {
		r.Ended = Failed
	}
	if output, ok := inside(text, "stdout"); ok {
		text = output
	} else if output, ok := inside(text, "output"); ok {
		text = output
	}
	if !strings.HasPrefix(text, "<") {
		r.Output = telling(text)
	}
}

// printed adds what a file shows that the last command printed its output into.
func (d *outliner) printed(file, output string, filtered bool) {
	for _, s := range slices.Backward(d.Steps) {
		if s.Kind != Ran || !slices.Contains(s.Run.into, file) {
			continue
		}
		s.Run.read()
		if says, _ := judge(output, filtered); says != Unknown && !s.Run.Sure {
			s.Run.Ended = says
		}
		if s.Run.Ended != Unknown && output != "" {
			s.Run.Output = telling(output)
		}
		return
	}
}

// statusOf returns the exit status in the result of a command that failed, or -1.
func statusOf(text string) int {
	rest, ok := strings.CutPrefix(text, "Exit code ")
	if !ok {
		return -1
	}
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n < 0 || n > 255 {
		return -1
	}
	return n
}
