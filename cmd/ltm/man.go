//go:build manual

package main

import (
	"log"
	"os"

	"github.com/spf13/cobra/doc"
)

// With the tag manual, the program is the one that writes the manual pages into a directory. Cobra's generator is not
// in the real one, because it compiles regular expressions whenever a program starts.
func main() {
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, color: colorAuto}
	root := a.rootCommand()
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "ltm " + version}, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}
