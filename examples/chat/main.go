// Command chat is a chat loop with a memory, to read and to copy from.
//
//	ltm-server app create demo
//	ltm-server key issue --app demo --name chat > key
//	go run ./examples/chat -key-file key -user ann
//
// Each line of standard input is something that the user says; "/new" begins another conversation. The reply comes from
// a script that only shows what a model would have been given, so the loop runs without any model. With -model, the
// server's own model answers (see docs/providers.md).
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"ltm/server/conversation/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "chat:", err)
		os.Exit(1)
	}
}

// run is the program without main's access to the process.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	url := flags.String("url", "http://127.0.0.1:5860", "the server's `address`")
	keyFile := flags.String("key-file", "", "the `file` with the application's key")
	user := flags.String("user", "", "the `name` of the user")
	model := flags.Bool("model", false, "let the server's model answer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *keyFile == "" || *user == "" || flags.NArg() > 0 {
		return errors.New("give -key-file and -user, and nothing else")
	}
	key, err := os.ReadFile(*keyFile)
	if err != nil {
		return err
	}
	memory, err := client.New(client.Options{URL: *url, Key: strings.TrimSpace(string(key))})
	if err != nil {
		return err
	}
	l := loop{memory: memory, user: *user, out: out, answer: scripted}
	if *model {
		l.answer = nil
	}
	return l.run(ctx, in)
}

// loop is a chat.
type loop struct {
	memory *client.Client
	user   string
	out    io.Writer
	thread string

	// answer replies to a text with what is remembered; nil: the server's model does.
	answer func(text string, c client.Context) string
}

func (l *loop) run(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	for {
		fmt.Fprint(l.out, "> ")
		if !lines.Scan() {
			fmt.Fprintln(l.out)
			return lines.Err()
		}
		switch text := strings.TrimSpace(lines.Text()); text {
		case "":
		case "/new":
			l.thread = ""
		default:
			if err := l.turn(ctx, text); err != nil {
				return err
			}
		}
	}
}

// turn is one text and its reply.
func (l *loop) turn(ctx context.Context, text string) (err error) {
	if l.thread == "" {
		if l.thread, err = l.memory.CreateThread(ctx, client.NewThread{User: l.user}); err != nil {
			return err
		}
	}
	if l.answer == nil {
		_, _, err = l.memory.Chat(ctx, l.thread, text, func(piece string) error {
			_, err := io.WriteString(l.out, piece)
			return err
		})
		fmt.Fprintln(l.out)
		return err
	}
	// The memory is queried before the text is stored, or the text would find itself.
	found, err := l.memory.Retrieve(ctx, client.Question{User: l.user, Query: text, Budget: 500})
	if err != nil {
		return err
	}
	if _, err := l.memory.AddEvent(ctx, l.thread, client.NewEvent{Actor: "user", Content: text}); err != nil {
		return err
	}
	reply := l.answer(text, found)
	if _, err := l.memory.AddEvent(ctx, l.thread, client.NewEvent{Actor: "assistant", Content: reply}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(l.out, reply)
	return err
}

// scripted is the reply of a model that can only read out what it was given.
func scripted(_ string, c client.Context) string {
	if c.Memory == "" {
		return "I remember nothing about that."
	}
	return "I was given this:\n" + strings.TrimRight(c.Memory, "\n")
}
