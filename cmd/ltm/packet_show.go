package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/internal/plural"
	"ltm/memory/api"
	"ltm/packet"
	packets "ltm/packet/client"
)

// shownPacket is a packet and what the store notes beside it, for programs.
type shownPacket struct {
	Host   string           `json:"host,omitempty"` // the server that has it; "": the store
	Packet json.RawMessage  `json:"packet"`
	Beside api.PacketBeside `json:"beside"`
	Path   string           `json:"path"`
}

func (a *app) packetShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Args: arguments(1, aPacket)}
	var l remoteListing
	l.addHost(c, "show one on the server that you are signed in to, without keeping it")
	c.RunE = func(c *cobra.Command, given []string) error {
		switch {
		case l.remote:
			return a.asking(&l.remoteFlags, func(client *packets.Client, r remote) error {
				got, err := client.Pull(c.Context(), given[0])
				return a.showPacket(r.host.String(), api.PacketDetail{Packet: got.Packet}, err)
			})
		case l.host != "":
			return invalid("add --remote", "--host is for a packet on a server")
		}
		d, err := a.desk().Show(c.Context(), given[0])
		return a.showPacket("", d, err)
	}
	return c
}

// showPacket prints a packet of the store, or of a server.
func (a *app) showPacket(host string, d api.PacketDetail, err error) error {
	shown := shownPacket{Host: host, Packet: packetJSON(&d.Packet), Beside: d.Beside, Path: d.Path}
	return answer(a, shown, err, func(shownPacket) error {
		return a.println(packetLines(a.screen(), d, time.Now())...)
	})
}

// packetJSON returns the JSON of a packet, or null if it is not legal.
func packetJSON(p *packet.Packet) json.RawMessage {
	data, err := p.Canonical()
	if err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(data)
}

// sheet is the lines of a packet on a screen.
type sheet struct {
	screen terminal.Screen
	lines  []string
}

// packetLines returns the lines of a packet, for people and for pipes. Every line of a packet's own
// text is indented, so none looks like a heading.
func packetLines(s terminal.Screen, d api.PacketDetail, now time.Time) []string {
	p := &d.Packet
	sh := &sheet{screen: s}
	sh.lines = append(sh.lines, s.Bold("Goal"))
	sh.text(p.Goal)
	sh.heading("Next step")
	sh.text(p.NextStep)
	sh.list("Done when", p.SuccessCriteria)
	sh.decisions(p.Decisions)
	sh.attempts(p.Attempts)
	sh.list("Constraints", p.Constraints)
	sh.list("Open questions", p.OpenQuestions)
	for i, m := range p.Methods {
		sh.entry("Methods", i, m.Name, "")
		sh.detail("when", m.WhenApplicable)
		sh.detail("how", m.How)
	}
	for i, c := range d.Beside.Checks {
		how := "failed"
		if c.Passed {
			how = "passed"
		}
		if !c.At.IsZero() {
			how += ", " + ago(now, c.At)
		}
		sh.entry("Checks", i, c.Command, how)
	}
	sh.list("Not committed when it was written", d.Beside.Dirty)
	sh.heading("About")
	for _, fact := range packetFacts(d, now) {
		if name, value := fact[0], fact[1]; value != "" {
			sh.indented(fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13), cell(value))
		}
	}
	return sh.lines
}

// ago is an age in words.
func ago(now, t time.Time) string {
	if text := age(now, t); text != "now" {
		return text + " ago"
	}
	return "now"
}

// packetFacts returns what is known of a packet besides its texts, as names and values.
func packetFacts(d api.PacketDetail, now time.Time) [][2]string {
	p := &d.Packet
	created := p.CreatedAt
	if at := p.Time(); !at.IsZero() {
		created += " (" + ago(now, at) + ")"
	}
	facts := [][2]string{{"id", p.ID}, {"version", p.Version}, {"created", created}, {"continues", p.ParentID}}
	if pr := p.Project; pr != nil {
		facts = append(facts, [2]string{"project", pr.Name}, [2]string{"ref", pr.Ref})
	}
	facts = append(facts, [2]string{"tags", strings.Join(p.Tags, ", ")})
	if pr := p.Provenance; pr != nil {
		facts = append(facts, [2]string{"author", pr.AuthorHuman}, [2]string{"model", pr.AuthorModel},
			[2]string{"source", pr.SourceHash}, [2]string{"confidence", string(pr.Confidence)})
	}
	b := d.Beside
	done := ""
	if !b.Done.IsZero() {
		done = ago(now, b.Done)
	}
	drafted := ""
	if b.Drafted {
		drafted = "from the session's record, without a model"
	}
	return append(facts, [2]string{"branch", b.Branch}, [2]string{"commit", b.Commit}, [2]string{"session", b.Session},
		[2]string{"drafted", drafted}, [2]string{"done", done}, [2]string{"file", d.Path})
}

func (sh *sheet) heading(text string) { sh.lines = append(sh.lines, "", sh.screen.Bold(text)) }

// text adds the lines of a text below what is there.
func (sh *sheet) text(text string) { sh.indented("  ", "  ", text) }

// indented adds the lines of a text: the first one behind first, the others behind rest.
func (sh *sheet) indented(first, rest, text string) {
	begin := first
	for line := range strings.SplitSeq(clean(text), "\n") {
		wrapped := []string{strings.TrimRight(line, " \t")}
		if sh.screen.Rich {
			wrapped = terminal.Wrap(line, max(terminal.MinWidth, sh.screen.Width-max(len(first), len(rest))))
		}
		if len(wrapped) == 0 {
			wrapped = []string{""}
		}
		for _, line := range wrapped {
			sh.lines = append(sh.lines, strings.TrimRight(begin+line, " "))
			begin = rest
		}
	}
}

// entry adds an entry of a list; the first has the heading before it. mark may be "".
func (sh *sheet) entry(heading string, i int, text, mark string) {
	if i == 0 {
		sh.heading(heading)
	}
	if mark != "" {
		text += " (" + mark + ")"
	}
	number := fmt.Sprintf("%3d. ", i+1)
	sh.indented(number, strings.Repeat(" ", len(number)), text)
}

// detail adds a part of an entry, if it has a text.
func (sh *sheet) detail(name, text string) {
	if text != "" {
		const indent = "     "
		sh.indented(indent+name+": ", indent+"  ", text)
	}
}

func (sh *sheet) list(heading string, texts []string) {
	for i, text := range texts {
		sh.entry(heading, i, text, "")
	}
}

func (sh *sheet) decisions(all []packet.Decision) {
	for i, d := range all {
		mark := ""
		if d.Locked {
			mark = "locked"
		}
		sh.entry("Decisions", i, d.What, mark)
		sh.detail("why", d.Why)
		sh.detail("rules out", d.Consequences)
	}
}

func (sh *sheet) attempts(all []packet.Attempt) {
	for i, t := range all {
		mark := string(t.Outcome)
		if t.Confidence != "" {
			mark += ", " + string(t.Confidence) + " confidence"
		}
		sh.entry("Tried", i, cmp.Or(t.Tried, "-"), mark)
		sh.detail("learned", t.Learned)
	}
}

// packetDiff is how two packets differ.
type packetDiff struct {
	From    string          `json:"from"` // ids
	To      string          `json:"to"`
	Changes []packet.Change `json:"changes"`
}

func (a *app) packetDiffCommand() *cobra.Command {
	const either = "the id or the file of a packet"
	c := &cobra.Command{Use: "diff FROM TO", Args: arguments(2, either, either)}
	c.ValidArgsFunction = a.completePacketFiles
	c.RunE = func(c *cobra.Command, given []string) error {
		if given[0] == fromInput && given[1] == fromInput {
			return invalid("give it once", `"-" reads standard input, which can be read once`)
		}
		from, err := a.anyPacket(c.Context(), given[0])
		if err != nil {
			return err
		}
		to, err := a.anyPacket(c.Context(), given[1])
		if err != nil {
			return err
		}
		d := packetDiff{from.ID, to.ID, append([]packet.Change{}, packet.Diff(&from, &to)...)}
		return answer(a, d, nil, a.printPacketDiff)
	}
	return c
}

// anyPacket returns a packet of the store or of a file.
func (a *app) anyPacket(ctx context.Context, given string) (packet.Packet, error) {
	if !a.isFile(ctx, given) {
		d, err := a.desk().Show(ctx, given)
		return d.Packet, err
	}
	data, err := a.readPacketFile(given)
	if err != nil {
		return packet.Packet{}, err
	}
	p, err := packet.ParseStored(data)
	if err != nil {
		return p, faultsError(cell(given), packetFaults(&p, err), nil)
	}
	return p, nil
}

func (a *app) printPacketDiff(d packetDiff) error {
	if len(d.Changes) == 0 {
		fmt.Fprintln(a.stderr, "no difference")
		return nil
	}
	s := a.screen()
	rows := make([][]string, 0, len(d.Changes))
	var lines []string
	for _, c := range d.Changes {
		rows = append(rows, []string{string(c.Kind), cell(c.Path), field(c.Old), field(c.New)})
		lines = append(lines, s.Bold(cell(c.Path))+" "+s.Dim(string(c.Kind)))
		lines = append(append(lines, sided(s, "-", c.Old)...), sided(s, "+", c.New)...)
	}
	if !s.Rich {
		return a.tabs(rows)
	}
	return a.println(lines...)
}

// sided returns the lines of a value behind a sign.
func sided(s terminal.Screen, sign, value string) []string {
	if value == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(clean(value), "\n") {
		wrapped := terminal.Wrap(line, max(terminal.MinWidth, s.Width-2))
		if len(wrapped) == 0 {
			wrapped = []string{""}
		}
		for _, line := range wrapped {
			lines = append(lines, sign+" "+line)
		}
	}
	return s.Signed(lines)
}

func (a *app) resumeCommand() *cobra.Command {
	var r api.ResumePacket
	var toClipboard bool
	c := &cobra.Command{Use: "resume [ID]", Args: arguments(1)}
	c.Flags().BoolVar(&toClipboard, "copy", false, "put the text into the clipboard instead of printing it")
	c.Flags().IntVar(&r.MaxChars, "max-chars", 0,
		fmt.Sprintf("maximum length of the packet's text, at least %d; 0 for all of it", packet.MinChars))
	c.RunE = func(c *cobra.Command, given []string) error {
		if r.MaxChars != 0 {
			if err := checkRange("--max-chars", r.MaxChars, packet.MinChars, 1<<20); err != nil {
				return err
			}
		}
		var err error
		if len(given) > 0 {
			r.ID = given[0]
		} else if r.ID, err = a.pickPacket(c.Context()); err != nil {
			return err
		}
		return a.resume(c.Context(), r, toClipboard)
	}
	return c
}

// resume prints or copies what to resume a packet from.
func (a *app) resume(ctx context.Context, r api.ResumePacket, toClipboard bool) error {
	r.Session = a.getenv("CLAUDE_CODE_SESSION_ID")
	text, err := a.desk().Resume(ctx, r)
	if err != nil {
		return err
	}
	return a.printResumption(text, toClipboard)
}

// printResumption prints or copies a text to resume from.
func (a *app) printResumption(r api.Resumption, toClipboard bool) error {
	if toClipboard {
		if err := a.copyText(r.Text); err != nil {
			return err
		}
		a.notice(fmt.Sprintf("copied the packet %s to the clipboard, if the terminal allows that (%s)", cell(r.ID),
			plural.Of(len([]rune(r.Text)), "character", "characters")))
	}
	switch {
	case a.asJSON:
		return a.printJSON(r)
	case toClipboard:
		return nil
	}
	if err := a.println(r.Text); err != nil {
		return err
	}
	if r.Left+r.Cut > 0 {
		a.notice(fmt.Sprintf("--max-chars left out %s and shortened %d", plural.Of(r.Left, "entry", "entries"), r.Cut))
	}
	return nil
}

// pickPacket lets a person choose between several packets on a terminal, and returns an id: "" for the newest.
func (a *app) pickPacket(ctx context.Context) (string, error) {
	if !a.asks() {
		return "", nil
	}
	open, err := a.openPackets(ctx)
	if err != nil || len(open) < 2 {
		return "", err
	}
	now := time.Now()
	lines := make([]string, 0, len(open))
	for _, p := range open {
		line := cell(p.ID) + "  " + age(now, p.CreatedAt) + "  " + cell(p.Goal)
		if p.Branch != "" {
			line += "  [" + cell(p.Branch) + "]"
		}
		lines = append(lines, line)
	}
	picked, err := a.pickByNumber(lines, "Number (Enter takes the first)")
	if err != nil || len(picked) == 0 {
		return "", err
	}
	return open[picked[0]].ID, nil
}
