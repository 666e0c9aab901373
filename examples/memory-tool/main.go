// Command memory-tool keeps the files of Claude's memory tool (memory_20250818) in a user's memory on ltm-server, to
// read and to copy from.
//
//	ltm-server app create demo
//	ltm-server key issue --app demo --name memory-tool > key
//	go run ./examples/memory-tool -key-file key -user ann
//
// Each line of standard input is the input of a tool call, such as {"command":"view","path":"/memories"}, and each line
// of output the content of its result with is_error. A program that talks to the API calls [tool.call] in its place.
//
// A file is a thread whose title is the path, and its text the newest event of it. So the server's retrieval finds what
// is in files, erasing the user erases them, and a file that was deleted is gone.
package main

import (
	"bufio"
	"context"
	"encoding/json"
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
		fmt.Fprintln(os.Stderr, "memory-tool:", err)
		os.Exit(1)
	}
}

// maxCall is the longest tool call, in bytes.
const maxCall = 1 << 20

// result is the result of a tool call.
type result struct {
	Content string `json:"content"`
	IsError bool   `json:"is_error,omitempty"`
}

// run is the program without main's access to the process.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("memory-tool", flag.ContinueOnError)
	url := flags.String("url", "http://127.0.0.1:5860", "the server's `address`")
	keyFile := flags.String("key-file", "", "the `file` with the application's key")
	user := flags.String("user", "", "the `name` of the user")
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
	t := tool{files{memory, *user}}
	calls := bufio.NewScanner(in)
	calls.Buffer(nil, maxCall)
	write := json.NewEncoder(out)
	write.SetEscapeHTML(false)
	for calls.Scan() {
		answer := result{}
		var said refusal
		switch answer.Content, err = t.call(ctx, calls.Bytes()); {
		case errors.As(err, &said):
			answer = result{string(said), true}
		case err != nil:
			return err
		}
		if err := write.Encode(answer); err != nil {
			return err
		}
	}
	return calls.Err()
}
