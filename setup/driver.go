package setup

import (
	"context"
	"path"
	"path/filepath"
	"strings"
)

// driverPath is where git keeps the merge driver of a clone, for people.
const driverPath = ".git/config"

// driverArgs is what git passes to the driver: the common ancestor, our version,
// which is written over, and theirs.
const driverArgs = " merge-index %O %A %B"

// Driver is the merge driver of a clone's indexes. Memories need none: they are
// merged as text.
type Driver struct {
	Command string // what is registered; "" is nothing

	// Set registers another command, or none when it is empty.
	Set func(ctx context.Context, command string) error
}

// driverStep is what a plan does about the driver.
type driverStep struct {
	command string
	set     func(ctx context.Context, command string) error
}

// mergeDriver plans to register the driver, in place of that of an ltm which
// stood elsewhere. One that a person chose is kept.
func (p *planner) mergeDriver() error {
	if p.Driver == nil || p.NoStore {
		return nil
	}
	command := DriverCommand(p.Program)
	switch {
	case p.Driver.Command == command:
		p.keep(driverPath, "git merges the store's indexes with "+p.Program+" already")
		return nil
	case p.Driver.Command != "" && p.Driver.Command != p.plan.record.Driver && !strings.HasPrefix(path.Base(DriverProgram(p.Driver.Command)), "ltm"):
		p.keep(driverPath, "git merges the store's indexes with another program")
		return nil
	}
	p.plan.record.Driver = command
	p.plan.driver = &driverStep{command, p.Driver.Set}
	p.add(Change{Action: Changed, Path: driverPath, What: "git merges the store's indexes with " + p.Program})
	return nil
}

// undoDriver plans to take the driver back that init registered.
func (p *planner) undoDriver() {
	if p.Driver == nil || p.old == nil || p.old.Driver == "" || p.Driver.Command == "" {
		return
	}
	if p.Driver.Command != p.old.Driver {
		p.keep(driverPath, "git merges the store's indexes with another program")
		return
	}
	p.plan.driver = &driverStep{"", p.Driver.Set}
	p.add(Change{Action: Changed, Path: driverPath, What: "git merges the store's indexes as any text"})
}

// DriverCommand is what git runs through its shell to merge an index with a
// program.
func DriverCommand(program string) string {
	program = filepath.ToSlash(program)
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@", r)
	}
	if strings.ContainsFunc(program, func(r rune) bool { return !safe(r) }) {
		program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	}
	return program + driverArgs
}

// DriverProgram returns the program of a command that [DriverCommand] made, or "".
func DriverProgram(command string) string {
	program, ok := strings.CutSuffix(command, driverArgs)
	if !ok {
		return ""
	}
	if quoted, ok := strings.CutPrefix(program, "'"); ok {
		program = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), `'\''`, "'")
	}
	return program
}
