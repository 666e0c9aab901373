package main

import (
	_ "embed"
	"slices"
	"strings"
)

// row is a line of a table: tests of one package that run on every change, and what they show of the
// system. A package may have several rows.
type row struct {
	pkg   string
	tests string // names, each of which may end in *; those of scripts begin with TestScript/; "": all of the package
	but   string // without these
	why   string
}

// tables has the rows of each system.
//
//go:embed tables.txt
var tables string

// readTable returns the rows of a system.
func readTable(system string) (rows []row) {
	_, table, _ := strings.Cut(tables, "\n## "+system+"\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for line := range strings.Lines(table) {
		names, below := strings.CutPrefix(line, "\t")
		but, without := strings.CutPrefix(names, "but ")
		switch {
		case line == "\n" || line[0] == '#':
		case without:
			rows[len(rows)-1].but += but
		case below:
			rows[len(rows)-1].tests += names
		default:
			pkg, why, _ := strings.Cut(strings.TrimSpace(line), ": ")
			rows = append(rows, row{pkg: pkg, why: why})
		}
	}
	return rows
}

// rest, in place of the names of tests, leaves a package to -all.
const rest = "-"

// part is the tests of one package.
type part struct {
	pkg        string
	tests, but []string // as in the rows; tests is empty for all
	rare       bool     // it runs only with -all
}

// grouped returns the parts of a table, in the order in which their packages begin there.
func grouped(table []row) []part {
	var parts []part
	for _, r := range table {
		i := slices.IndexFunc(parts, func(p part) bool { return p.pkg == r.pkg })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{pkg: r.pkg})
		}
		switch {
		case strings.TrimSpace(r.tests) == rest:
			parts[i].rare = true
		default:
			parts[i].tests = append(parts[i].tests, strings.Fields(r.tests)...)
			parts[i].but = append(parts[i].but, strings.Fields(r.but)...)
		}
	}
	return parts
}

// pattern returns what go test -run matches exactly these names with.
func pattern(names []string) string {
	var all []string
	for _, name := range names {
		test, script, below := strings.Cut(name, "/")
		end := "$"
		if strings.HasSuffix(test, "*") {
			test, end = strings.TrimSuffix(test, "*"), ""
		}
		one := "^" + test + end
		if below {
			one += "/^" + script + "$"
		}
		all = append(all, one)
	}
	return strings.Join(all, "|")
}

// selection is what the caller wants to run.
type selection struct {
	all   bool
	pkg   string // "": every package of the table
	tests string // as go test -run takes them; "": those of the table
}

// whole reports whether all packages of the table run as it says.
func (s selection) whole() bool { return s.pkg == "" && s.tests == "" }

// flags returns the flags for the binary of a package's tests that choose what runs.
func (s selection) flags(p part) []string {
	switch {
	case s.tests != "":
		return []string{"-test.run=" + s.tests}
	case s.all:
		return nil
	}
	var flags []string
	if len(p.tests) > 0 {
		flags = append(flags, "-test.run="+pattern(p.tests))
	}
	if len(p.but) > 0 {
		flags = append(flags, "-test.skip="+pattern(p.but))
	}
	return flags
}

// chosen returns the packages to test.
func (s system) chosen(sel selection) []part {
	var parts []part
	for _, p := range s.parts {
		if sel.pkg == p.pkg || sel.pkg == "" && (sel.all || !p.rare) {
			parts = append(parts, p)
		}
	}
	return parts
}
