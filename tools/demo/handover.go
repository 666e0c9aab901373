package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// handOver plays two people of a team: one hands unfinished work over, and the other resumes it in a
// clone of their own. Git carries nothing between them; the server does.
func (d *demo) handOver() {
	d.compact = true
	scratch := filepath.Dir(d.project)
	other := &demo{binary: d.binary, project: filepath.Join(scratch, "jonas"), home: filepath.Join(scratch, "home-2"),
		out: d.out, compact: true}
	d.fail(os.MkdirAll(other.home, 0o755))
	d.git("clone", "-q", d.project, other.project)

	d.title("A server")
	db := filepath.Join(scratch, "server", "ltm.db")
	d.output(d.command(d.binary, "server", "init", "--db", db))
	d.output(d.command(d.binary, "server", "user", "add", "mira", "--display", "Mira", "--db", db))
	token := d.output(d.command(d.binary, "server", "token", "issue", "--user", "mira", "--db", db))
	d.say("$ ltm server init\n$ ltm server user add mira --display Mira\n$ ltm server token issue --user mira > token")
	url, stop := d.serve(db)
	defer stop()
	d.say("$ ltm server serve &\n    %s", url)

	id, link := d.handToTeam(url, token)
	if other.err = d.err; other.err == nil {
		other.takeOver(id, link)
	}
	d.fail(other.err)
}

// serve starts the server and returns its address, and what stops it.
func (d *demo) serve(db string) (url string, stop func()) {
	cmd := d.command(d.binary, "server", "serve", "--db", db, "--addr", "127.0.0.1:0", "--log", "json")
	stderr, err := cmd.StderrPipe()
	if err == nil && d.err == nil {
		err = cmd.Start()
	}
	if err != nil || d.err != nil {
		d.fail(err)
		return "", func() {}
	}
	lines := bufio.NewScanner(stderr)
	var said strings.Builder
	for url == "" && lines.Scan() {
		var line struct{ URL string }
		_ = json.Unmarshal(lines.Bytes(), &line) // another line
		url = line.URL
		said.WriteString(lines.Text() + "\n")
	}
	if url == "" {
		d.fail(errors.New("the server did not start: " + said.String()))
	}
	return url, func() {
		_ = cmd.Process.Kill() // what it acknowledged is on disk
		for lines.Scan() {
			continue
		}
		_ = cmd.Wait()
	}
}

// handToTeam signs in, writes a packet, and sends it to a team. It returns the packet's id and a link
// for another person.
func (d *demo) handToTeam(url, token string) (id, link string) {
	d.title("Mira stops for today and hands over to her team")
	in := d.command(d.binary, "auth", url)
	in.Stdin = strings.NewReader(token)
	d.say("$ ltm auth %s < token", url)
	d.show(d.output(in))
	d.typed("teams", "create", "tide")
	d.typed("write", "--goal", "Keep the clock within two seconds a week",
		"--next", "Run the cold chamber test on board three",
		"--decision", "Measure every six hours; why: the battery lasts the winter then; locked",
		"--tried", "A larger capacitor; failed; learned: it only moved the drift to the morning")
	sent := d.typed("push", "-t", "tide")
	id = regexp.MustCompile(`[0-9A-Z]{26}`).FindString(sent)
	d.expect(id != "", "push names the packet")
	link = strings.TrimSpace(d.typed("invite", "-t", "tide"))
	d.expect(strings.HasPrefix(link, url+"/v1/invites/"), "an invite is a link to the server")
	return id, link
}

// takeOver joins the team and resumes the packet.
func (d *demo) takeOver(id, link string) {
	d.title("Jonas, in another clone, takes over")
	d.expect(!d.exists(".claude"), "git has brought nothing")
	d.typed("join", link, "--name", "Jonas", "--yes")
	listed := d.typed("packet", "ls", "--remote", "-t", "tide")
	d.expect(strings.Contains(listed, id), "the packet is in the team's list")
	d.typed("pull", id)
	d.title("What Jonas's next session starts with")
	block := d.typed("resume", id)
	for _, want := range []string{"Keep the clock within two seconds a week",
		"Run the cold chamber test on board three", "Measure every six hours",
		"it only moved the drift to the morning"} {
		d.expect(strings.Contains(block, want), "the block has: "+want)
	}
}

// typed runs a command and shows it as a person would type it.
func (d *demo) typed(args ...string) string {
	out := d.output(d.command(d.binary, args...))
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg
		if strings.ContainsAny(arg, " ;") {
			words[i] = "'" + arg + "'"
		}
	}
	d.say("$ ltm %s", strings.Join(words, " "))
	d.show(out)
	return out
}
