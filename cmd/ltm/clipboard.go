package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"ltm/internal/terminal"
)

// clipboardWait bounds how long a program for the clipboard may take. Some stay in the background to
// serve the text; they are not waited for.
const clipboardWait = 5 * time.Second

// clipboards returns the programs that may reach the clipboard of this session.
func (a *app) clipboards(system string) [][]string {
	switch system {
	case "darwin":
		return [][]string{{"pbcopy"}}
	case "windows":
		return [][]string{{"clip"}}
	}
	var all [][]string
	if a.getenv("WAYLAND_DISPLAY") != "" {
		all = append(all, []string{"wl-copy"})
	}
	if a.getenv("DISPLAY") != "" {
		all = append(all, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	if a.getenv("TERMUX_VERSION") != "" {
		all = append(all, []string{"termux-clipboard-set"})
	}
	if a.getenv("WSL_DISTRO_NAME") != "" {
		all = append(all, []string{"clip.exe"})
	}
	return all
}

// copyText puts a text into the clipboard, and returns how. No program of the project is run.
func (a *app) copyText(text string) (how string, err error) {
	for _, argv := range a.clipboards(runtime.GOOS) {
		program := a.trustedProgram(argv[0])
		if program == "" {
			continue
		}
		if runClipboard(program, argv[1:], text) == nil {
			return "by " + argv[0], nil
		}
	}
	for _, w := range []any{a.stderr, a.stdout} {
		if out, ok := w.(interface{ Write([]byte) (int, error) }); ok && terminal.Is(w) && a.getenv("TERM") != "dumb" {
			terminal.Copy(out, text, a.multiplexer())
			return "by the terminal, if it allows that", nil
		}
	}
	return "", invalid("install wl-copy, xclip or xsel, or leave out --copy and copy what is printed",
		"there is no clipboard here")
}

// multiplexer returns which program is between this one and the terminal.
func (a *app) multiplexer() terminal.Multiplexer {
	switch {
	case a.getenv("TMUX") != "":
		return terminal.Tmux
	case a.getenv("STY") != "":
		return terminal.GNUScreen
	}
	return terminal.NoMultiplexer
}

func runClipboard(program string, args []string, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), clipboardWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = filepath.Dir(program), time.Second
	cmd.Stdin = bytes.NewReader(clipboardBytes(filepath.Base(program), text))
	return cmd.Run()
}

// clipboardBytes returns a text as a program expects it: that of Windows takes UTF-16.
func clipboardBytes(program, text string) []byte {
	if !strings.HasPrefix(strings.ToLower(program), "clip") {
		return []byte(text)
	}
	data := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	return data
}
