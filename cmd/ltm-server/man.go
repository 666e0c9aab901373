//go:build manual

package main

import (
	"log"
	"os"
	"time"

	"github.com/spf13/cobra/doc"
)

// With the tag manual, the program is the one that writes the manual pages into a directory.
func main() {
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, now: time.Now,
		sources: map[string]string{}}
	root := a.rootCommand()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "ltm-server " + version}
	if err := doc.GenManTree(root, header, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}
