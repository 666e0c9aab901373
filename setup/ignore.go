package setup

import (
	"bytes"
	"path"
)

// placeIgnore is the file that keeps this machine's settings out of git.
const placeIgnore = claudeDir + "/.gitignore"

// ignoreText is what init adds there.
func ignoreText(newline string) []byte {
	return []byte("# ltm init: what names programs of one machine" + newline + path.Base(placeLocal) + newline)
}

// ignore plans to have git ignore the settings that belong to one machine, where it
// does not yet.
func (p *planner) ignore() error {
	if !p.ShowsLocal || p.plan.Does(placeLocal) == Kept && !p.f.exists(placeLocal) {
		return nil
	}
	before, err := p.f.read(placeIgnore)
	if err != nil {
		return err
	}
	p.write(placeIgnore, before, mergeIgnore(before.data), "keeps "+path.Base(placeLocal)+" out of git", "git ignores "+path.Base(placeLocal), removeIgnore)
	return nil
}

// mergeIgnore adds the text at the end, unless it is there.
func mergeIgnore(data []byte) []byte {
	newline := newlineOf(data)
	text := ignoreText(newline)
	if bytes.Contains(data, text) {
		return data
	}
	after := bytes.Clone(data)
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, newline...)
	}
	return append(after, text...)
}

// removeIgnore takes the text out.
func removeIgnore(_ string, data []byte) ([]byte, error) {
	return bytes.Replace(data, ignoreText(newlineOf(data)), nil, 1), nil
}
