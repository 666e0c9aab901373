package handoff

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"ltm/memory/api"
	"ltm/packet"
)

const (
	driftCommits     = "commits"
	driftBranchGone  = "branch_gone"
	driftOtherBranch = "other_branch"
	driftCommitGone  = "commit_gone"
	driftFileChanged = "file_changed"
	driftFileGone    = "file_gone"
	driftAge         = "age"
)

const (
	mostSince  = 2000 // changed files that are looked at
	mostDrifts = 20   // changed files that are named
	day        = 24 * time.Hour
)

// drift returns what changed since a packet was written, as far as it is known.
func (d *Desk) drift(ctx context.Context, k *kept) []api.PacketDrift {
	var found []api.PacketDrift
	if days := int(d.o.Now().Sub(k.packet.Time()) / day); days > 0 {
		found = append(found, api.PacketDrift{Kind: driftAge, Count: days})
	}
	if d.o.Repository == nil {
		return found
	}
	branch, commit, origin := d.o.Repository.Head(ctx)
	if was := k.notes.Branch; was != "" && was != branch {
		kind := driftOtherBranch
		if has, known := d.o.Repository.HasBranch(ctx, was); known && !has {
			kind = driftBranchGone
		}
		found = append(found, api.PacketDrift{Kind: kind, Subject: was})
	}
	written := writtenAt(k, origin)
	if commit == "" {
		return found
	}
	var changed []string
	if written != "" {
		commits, paths, known := d.o.Repository.Since(ctx, written, mostSince)
		switch {
		case !known:
			found = append(found, api.PacketDrift{Kind: driftCommitGone, Subject: written})
		case commits > 0:
			found = append(found, api.PacketDrift{Kind: driftCommits, Count: commits})
		}
		changed = paths
	}
	known := func(path string) bool { return slices.Contains(k.notes.Dirty, path) }
	changed = append(changed, slices.DeleteFunc(d.o.Repository.Dirty(ctx, mostDirty), known)...)
	return append(found, d.driftOfFiles(ctx, &k.packet, changed)...)
}

// writtenAt returns the commit at which a packet was written, or "".
func writtenAt(k *kept, origin string) string {
	if isCommit(k.notes.Commit) || k.packet.Project == nil {
		return k.notes.Commit
	}
	repository, commit, _ := strings.Cut(k.packet.Project.Ref, "@")
	if origin == "" || repository != origin || !isCommit(commit) {
		return ""
	}
	return commit
}

// isCommit reports whether a text is the full id of a commit.
func isCommit(s string) bool {
	data, err := hex.DecodeString(s)
	return err == nil && (len(data) == 20 || len(data) == 32)
}

func (d *Desk) driftOfFiles(ctx context.Context, p *packet.Packet, changed []string) []api.PacketDrift {
	named := namesIn(p)
	slices.Sort(changed)
	var found []api.PacketDrift
	for _, path := range slices.Compact(changed) {
		touches := named.touching(path)
		if len(touches) == 0 {
			continue
		}
		if len(found) == mostDrifts {
			break
		}
		kind := driftFileChanged
		if has, known := d.o.Repository.HasFile(ctx, path); known && !has {
			kind = driftFileGone
		}
		found = append(found, api.PacketDrift{Kind: kind, Subject: path, Touches: touches})
	}
	return found
}

// names are what the texts of a packet name, and in which texts.
type names map[string][]string

// namesIn returns the words of a packet's texts that may be names of files or directories.
func namesIn(p *packet.Packet) names {
	found := names{}
	copied := clone(*p)
	ends := func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`,;()[]{}<>|*?=", r) }
	eachText(&copied, func(path string, _ int, s *string) {
		for word := range strings.FieldsFuncSeq(*s, ends) {
			if name := fileName(word); name != "" && !slices.Contains(found[name], path) {
				found[name] = append(found[name], path)
			}
		}
	})
	return found
}

// fileName returns a word as the name of a file or directory, or "" if it cannot be one.
func fileName(word string) string {
	word, _, _ = strings.Cut(word, ":") // a line follows
	word = strings.TrimPrefix(word, "./")
	word = strings.TrimRight(word, ".!/")
	if len(word) < 3 || !strings.ContainsAny(word, "./") {
		return ""
	}
	return word
}

// touching returns the texts that name a file, the end of its path, or a directory above it.
func (n names) touching(path string) []string {
	path = strings.TrimRight(path, "/")
	var texts []string
	add := func(name string) {
		for _, text := range n[name] {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	for rest, more := path, true; more; _, rest, more = strings.Cut(rest, "/") {
		add(rest)
	}
	for i := range len(path) {
		if path[i] == '/' && strings.Contains(path[:i], "/") {
			add(path[:i])
		}
	}
	slices.Sort(texts)
	return texts
}
