package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/server/conversation/client"
)

// root is the directory of all files.
const root = "/memories"

const (
	maxPath = 120      // characters, as many as a title may have
	maxText = 64 << 10 // bytes of a file, as many as an event may have
	maxView = 16_000   // characters of one view
)

// refusal is an error that the model is told.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// tool carries out the calls of one user's memory tool.
type tool struct{ files files }

// input is the input of a tool call.
type input struct {
	Command    string
	Path       string
	ViewRange  []int  `json:"view_range"`
	FileText   string `json:"file_text"`
	OldStr     string `json:"old_str"`
	NewStr     string `json:"new_str"`
	InsertLine int    `json:"insert_line"`
	InsertText string `json:"insert_text"`
	OldPath    string `json:"old_path"`
	NewPath    string `json:"new_path"`
}

// call carries out one call and returns the content of its result. What the model is to be told of a failure is a
// [refusal].
func (t tool) call(ctx context.Context, call []byte) (string, error) {
	var in input
	if err := json.Unmarshal(call, &in); err != nil {
		return "", refuse("Error: the input is not that of a memory tool: %v", err)
	}
	for _, path := range []*string{&in.Path, &in.OldPath, &in.NewPath} {
		if err := check(path); err != nil {
			return "", err
		}
	}
	for _, need := range []struct {
		path string
		has  bool
	}{{in.Path, in.Command != "rename"}, {in.OldPath, in.Command == "rename"}, {in.NewPath, in.Command == "rename"}} {
		if need.has && need.path == "" {
			return "", refuse("Error: a path is missing")
		}
	}
	all, err := t.files.list(ctx)
	if err != nil {
		return "", err
	}
	text, err := t.do(ctx, in, tree(all))
	if said, ok := errors.AsType[*client.Error](err); ok && said.Status == 422 { // such as a text that is too long
		err = refuse("Error: %s", said.Detail)
	}
	return text, err
}

func (t tool) do(ctx context.Context, in input, all tree) (string, error) {
	switch in.Command {
	case "view":
		return t.view(ctx, in, all)
	case "create":
		return t.create(ctx, in, all)
	case "str_replace":
		return t.replace(ctx, in, all)
	case "insert":
		return t.insert(ctx, in, all)
	case "delete":
		return t.remove(ctx, in, all)
	case "rename":
		return t.rename(ctx, in, all)
	}
	return "", refuse("Error: %q is not a command; there are view, create, str_replace, insert, delete and rename",
		in.Command)
}

// check refuses a path that does not lead to a place in the root, however it is written, and drops a slash at its end.
func check(path *string) error {
	p := *path
	if p == "" {
		return nil
	}
	escaped := strings.ToLower(p)
	bad := p != root && !strings.HasPrefix(p, root+"/") || utf8.RuneCountInString(p) > maxPath ||
		!utf8.ValidString(p) || strings.Contains(p, `\`) || strings.ContainsFunc(p, unicode.IsControl)
	for _, code := range []string{"%2e", "%2f", "%5c", "%00"} {
		bad = bad || strings.Contains(escaped, code)
	}
	p = strings.TrimSuffix(p, "/")
	for part := range strings.SplitSeq(strings.TrimPrefix(p, "/"), "/") {
		bad = bad || part == "" || part == "." || part == ".." || strings.TrimSpace(part) != part
	}
	if bad {
		return refuse("Error: Invalid path %.200q. Paths are in %s, have no \"..\" and at most %d characters", *path,
			root, maxPath)
	}
	*path = p
	return nil
}

// tree is all files.
type tree []file

// at returns the file of a path.
func (all tree) at(path string) (file, bool) {
	for _, f := range all {
		if f.path == path {
			return f, true
		}
	}
	return file{}, false
}

// under returns the files in a directory, at any depth.
func (all tree) under(dir string) tree {
	var found tree
	for _, f := range all {
		if strings.HasPrefix(f.path, dir+"/") {
			found = append(found, f)
		}
	}
	return found
}

// free refuses a path for a new file or directory that is taken or leads through a file.
func (all tree) free(path, taken string) error {
	if _, is := all.at(path); is || path == root || len(all.under(path)) > 0 {
		return refuse(taken, path)
	}
	for i, c := range path {
		if _, is := all.at(path[:i]); c == '/' && is {
			return refuse("Error: %s is a file", path[:i])
		}
	}
	return nil
}

func (t tool) view(ctx context.Context, in input, all tree) (string, error) {
	f, is := all.at(in.Path)
	switch {
	case is:
		text, err := t.files.read(ctx, f)
		if err != nil {
			return "", err
		}
		return show(in, text)
	case in.Path == root || len(all.under(in.Path)) > 0:
		return t.listing(ctx, in.Path, all.under(in.Path))
	}
	return "", refuse("The path %s does not exist. Please provide a valid path.", in.Path)
}

// show returns the lines of a file that are asked for.
func show(in input, text string) (string, error) {
	lines := linesOf(text)
	from, to := 1, len(lines)
	if r := in.ViewRange; len(r) > 0 {
		if len(r) != 2 || r[0] < 1 || r[0] > max(1, len(lines)) || r[1] != -1 && (r[1] < r[0] || r[1] > len(lines)) {
			return "", refuse("Error: Invalid `view_range` parameter: %v. It should be within the range of lines "+
				"of the file: [1, %d]", r, len(lines))
		}
		if from = r[0]; r[1] > 0 {
			to = r[1]
		}
	}
	shown := numbered(lines, from, to)
	if rest := []rune(shown); len(rest) > maxView {
		shown = string(rest[:maxView]) + "\n[truncated: use view_range for the rest]"
	}
	return "Here's the content of " + in.Path + " with line numbers:" + shown, nil
}

// linesOf returns the lines of a text, with their ends.
func linesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// numbered returns lines with their numbers, each after a line break.
func numbered(lines []string, from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, "\n%6d\t%s", n, strings.TrimSuffix(lines[n-1], "\n"))
	}
	return b.String()
}

func (t tool) create(ctx context.Context, in input, all tree) (string, error) {
	if err := all.free(in.Path, "Error: File %s already exists"); err != nil {
		return "", err
	}
	if err := fits(in.FileText); err != nil {
		return "", err
	}
	return "File created successfully at: " + in.Path, t.files.create(ctx, in.Path, in.FileText)
}

func fits(text string) error {
	if len(text) > maxText {
		return refuse("Error: the file would have %d bytes; at most %d are allowed", len(text), maxText)
	}
	return nil
}

// edit changes the text of a file.
func (t tool) edit(ctx context.Context, path string, all tree, missing string,
	change func(text string) (string, error)) (string, error) {
	f, is := all.at(path)
	if !is {
		return "", refuse(missing, path)
	}
	text, err := t.files.read(ctx, f)
	if err != nil {
		return "", err
	}
	if text, err = change(text); err != nil {
		return "", err
	}
	if err := fits(text); err != nil {
		return "", err
	}
	return text, t.files.write(ctx, f, text)
}

func (t tool) replace(ctx context.Context, in input, all tree) (string, error) {
	line := 0
	text, err := t.edit(ctx, in.Path, all, "Error: The path %s does not exist. Please provide a valid path.",
		func(text string) (string, error) {
			var found []string
			for at := 0; in.OldStr != "" && strings.Contains(text[at:], in.OldStr); at++ {
				at += strings.Index(text[at:], in.OldStr)
				line = 1 + strings.Count(text[:at], "\n")
				found = append(found, strconv.Itoa(line))
			}
			switch len(found) {
			case 0:
				return "", refuse("No replacement was performed, old_str `%s` did not appear verbatim in %s.",
					in.OldStr, in.Path)
			case 1:
				return strings.Replace(text, in.OldStr, in.NewStr, 1), nil
			}
			return "", refuse("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. "+
				"Please ensure it is unique", in.OldStr, strings.Join(found, ", "))
		})
	if err != nil {
		return "", err
	}
	lines := linesOf(text)
	around := 2 // lines before and after the change
	last := min(len(lines), line+strings.Count(in.NewStr, "\n")+around)
	return "The memory file has been edited." + numbered(lines, max(1, line-around), last), nil
}

func (t tool) insert(ctx context.Context, in input, all tree) (string, error) {
	_, err := t.edit(ctx, in.Path, all, "Error: The path %s does not exist", func(text string) (string, error) {
		lines := linesOf(text)
		if in.InsertLine < 0 || in.InsertLine > len(lines) {
			return "", refuse("Error: Invalid `insert_line` parameter: %d. It should be within the range of lines "+
				"of the file: [0, %d]", in.InsertLine, len(lines))
		}
		before, after := strings.Join(lines[:in.InsertLine], ""), strings.Join(lines[in.InsertLine:], "")
		if before != "" && !strings.HasSuffix(before, "\n") {
			before += "\n"
		}
		if after != "" && !strings.HasSuffix(in.InsertText, "\n") {
			in.InsertText += "\n"
		}
		return before + in.InsertText + after, nil
	})
	return "The file " + in.Path + " has been edited.", err
}

func (t tool) remove(ctx context.Context, in input, all tree) (string, error) {
	gone := all.under(in.Path)
	if f, is := all.at(in.Path); is {
		gone = append(gone, f)
	}
	switch {
	case in.Path == root:
		return "", refuse("Error: Cannot delete the %s directory itself", root)
	case len(gone) == 0:
		return "", refuse("Error: The path %s does not exist", in.Path)
	}
	for _, f := range gone {
		if _, err := t.files.memory.DeleteThread(ctx, f.thread); err != nil && !client.NotFound(err) {
			return "", err
		}
	}
	return "Successfully deleted " + in.Path, nil
}

func (t tool) rename(ctx context.Context, in input, all tree) (string, error) {
	moved := all.under(in.OldPath)
	if f, is := all.at(in.OldPath); is {
		moved = append(moved, f)
	}
	switch {
	case in.OldPath == root:
		return "", refuse("Error: Cannot rename the %s directory itself", root)
	case len(moved) == 0:
		return "", refuse("Error: The path %s does not exist", in.OldPath)
	case strings.HasPrefix(in.NewPath, in.OldPath+"/"):
		return "", refuse("Error: The destination %s is in %s", in.NewPath, in.OldPath)
	}
	if err := all.free(in.NewPath, "Error: The destination %s already exists"); err != nil {
		return "", err
	}
	var paths []string
	for _, f := range moved {
		path := in.NewPath + strings.TrimPrefix(f.path, in.OldPath)
		if err := check(&path); err != nil { // too long
			return "", err
		}
		paths = append(paths, path)
	}
	for i, f := range moved {
		if err := t.files.memory.RenameThread(ctx, f.thread, paths[i]); err != nil {
			return "", err
		}
	}
	return "Successfully renamed " + in.OldPath + " to " + in.NewPath, nil
}
