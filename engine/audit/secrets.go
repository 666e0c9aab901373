package audit

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/secrets"
)

// Secrets adds to the report of a check which credentials are in the bytes of every memory, archive and packet,
// readable or not. It tells where they are and of which kind, never what they are.
func Secrets(ctx context.Context, v *store.View, check api.CheckReport) (api.SecretsReport, error) {
	r := api.SecretsReport{CheckReport: check, Secrets: []api.SecretFound{}, Unscanned: []memory.FileProblem{}}
	active, err := v.Memories()
	if err != nil {
		return r, err
	}
	archives, err := v.Archives()
	if err != nil {
		return r, err
	}
	for _, file := range slices.Concat(paths(active, store.MemoryPath), paths(archives, store.ArchivePath)) {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		data, err := v.ReadBytes(file)
		lookInto(file, data, err, &r)
	}
	if err := lookIntoPackets(ctx, v, &r); err != nil {
		return r, err
	}
	r.OK, r.Summary = r.OK && len(r.Secrets)+len(r.Unscanned) == 0, secretsSummary(&r)
	return r, nil
}

// paths lists all files of a directory, those that are not readable memories last.
func paths(s *store.Snapshot, path func(string) string) []string {
	out := make([]string, 0, len(s.Records)+len(s.Problems))
	for _, m := range s.Records {
		out = append(out, path(m.ID.File()))
	}
	for _, p := range s.Problems {
		out = append(out, path(p.File))
	}
	return out
}

// lookIntoPackets adds what the files of packets, and those of the notes about them, hold.
func lookIntoPackets(ctx context.Context, v *store.View, r *api.SecretsReport) error {
	files, err := v.Packets()
	if err != nil {
		r.Unscanned = append(r.Unscanned, memory.FileProblem{File: "packets", Reason: err.Error()})
		return nil
	}
	for _, f := range files.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := v.ReadPacket(f)
		lookInto(f.Path(), data, err, r)
		data, err = v.ReadPacketNotes(f)
		lookInto(f.NotesPath(), data, err, r)
	}
	return nil
}

// lookInto adds what a file holds, or why it cannot be read, to a report.
func lookInto(file string, data []byte, err error, r *api.SecretsReport) {
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		r.Unscanned = append(r.Unscanned, memory.FileProblem{File: file, Reason: err.Error()})
		return
	}
	text, line, at := string(data), 1, 0
	for _, f := range secrets.Find(text) {
		line += strings.Count(text[at:f.Start], "\n")
		at = f.Start
		r.Secrets = append(r.Secrets, api.SecretFound{File: file, Line: line, Kind: f.Kind})
	}
}

// secretsSummary sets what was seen of credentials before the summary of a check.
func secretsSummary(r *api.SecretsReport) memory.Note {
	if len(r.Secrets)+len(r.Unscanned) == 0 {
		return append(slices.Clone(r.Summary), memory.Remark{Text: "no credentials"})
	}
	var summary memory.Note
	if n := len(r.Secrets); n > 0 {
		kind := memory.KindSecretsFound
		if n == 1 {
			kind = memory.KindSecretFound
		}
		summary = memory.Advise(kind, "", plural.Of(n, "credential", "credentials")+" in the store")
	}
	if n := len(r.Unscanned); n > 0 {
		summary = append(summary, memory.Remark{Kind: memory.KindUnscanned,
			Text: plural.Of(n, "file", "files") + " could not be looked into"})
	}
	if r.OK {
		return append(summary, after("otherwise ", r.Summary)...)
	}
	return append(summary, r.Summary...)
}
