package terminal

import (
	"io"
	"os/exec"
)

// Pager is a writer that shows text on a terminal through a program such as less. The program
// starts at the first Write.
type Pager struct {
	Argv, Env []string
	Terminal  io.Writer       // where the text is shown
	Complain  io.Writer       // the program's standard error
	Failed    func(err error) // called when the program cannot be started; the text then goes to the terminal

	cmd    *exec.Cmd
	text   io.WriteCloser
	failed bool // it cannot be started
	left   bool // the person has quit it
}

// Fd returns the terminal's file descriptor: what is written is laid out for the terminal.
func (p *Pager) Fd() uintptr { return fd(p.Terminal) }

// Write starts the program if it does not run yet. Text that comes after the person has quit it is dropped.
func (p *Pager) Write(text []byte) (int, error) {
	if p.cmd == nil && !p.failed {
		p.start()
	}
	switch {
	case p.failed:
		return p.Terminal.Write(text)
	case !p.left:
		_, err := p.text.Write(text)
		p.left = err != nil
	}
	return len(text), nil
}

func (p *Pager) start() {
	cmd := exec.Command(p.Argv[0], p.Argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.Env, p.Terminal, p.Complain
	text, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.failed = true
		p.Failed(err)
		return
	}
	p.cmd, p.text = cmd, text
}

// Close ends the text and waits until the program exits.
func (p *Pager) Close() {
	if p == nil || p.cmd == nil {
		return
	}
	_ = p.text.Close()
	_ = p.cmd.Wait()
}

// Beside returns the standard error of a command that is paged: messages that come after
// the text has begun are shown within it.
func (p *Pager) Beside() io.Writer { return besidePager{p} }

type besidePager struct{ p *Pager }

func (b besidePager) Write(text []byte) (int, error) {
	if b.p.cmd != nil {
		return b.p.Write(text)
	}
	return b.p.Complain.Write(text)
}

// Fd returns the file descriptor of Complain.
func (b besidePager) Fd() uintptr { return fd(b.p.Complain) }
