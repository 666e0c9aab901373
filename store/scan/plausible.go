package scan

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ltm/memory"
)

// plausible reports whether a scan can have found this header in a file of that name.
func plausible(name string, m *memory.Memory) bool {
	id, _, ok := memory.ParseArchiveName(name) // which accepts the name of a memory, too
	if !ok || m.ID != id || m.Phase < memory.Full || m.Phase > memory.Removed || m.KeepsText && !m.IsStub() {
		return false
	}
	if len(m.Tags) > memory.MaxReadTags || m.CreatedSession < 0 || memory.CheckDifficulty(m.Difficulty) != nil {
		return false
	}
	if m.Topic == "" || strings.IndexByte(m.Topic, '\r') >= 0 || strings.IndexByte(m.Topic, '\n') >= 0 ||
		notText(m.Topic) || slices.ContainsFunc(m.Tags, notText) || notText(m.ArchivedReason) {
		return false
	}
	if m.Confidence != nil {
		if sure, err := memory.Sureness(*m.Confidence); err != nil || sure == nil {
			return false
		}
	}
	if len(m.Aliases) > memory.MaxAliases || slices.ContainsFunc(m.Aliases, isNoAlias) {
		return false
	}
	if m.Category != "" && !slices.Contains(memory.Categories(), m.Category) {
		return false
	}
	return plausibleLinks(m) && plausibleRefs(m.Refs) && plausibleTime(m.CreatedAt) &&
		plausibleTime(m.ArchivedAt) && (m.Work == nil || plausibleWork(*m.Work))
}

// The first second that RFC 3339 can express, and the one after the last.
const (
	firstSecond = -62167219200 // 0000-01-01
	endOfTime   = 253402300800 // 10000-01-01
)

// plausibleTime reports whether RFC 3339 can express a time.
func plausibleTime(t time.Time) bool { return t.Unix() >= firstSecond && t.Unix() < endOfTime }

func isNoAlias(s string) bool { return !memory.IsAlias(s) }

func notText(s string) bool { return !utf8.ValidString(s) }

func plausibleWork(w memory.Work) bool {
	known := w.Source == "" || w.Source == memory.SourceTranscript || w.Source == memory.SourceHooks
	return known && min(w.Calls, w.Failures, w.Retries, w.Tokens, w.AgentCalls, w.AgentFailures) >= 0
}

func plausibleLinks(m *memory.Memory) bool {
	if m.LinksLeft < 0 || m.LinksLeft > 3*memory.MaxLinks || m.LinksLeft > 0 && linksOf(m) > m.LinksLeft {
		return false
	}
	for _, ids := range [][]memory.ID{m.Supersedes, m.Disputes, m.Related} {
		if len(ids) > memory.MaxLinks || slices.ContainsFunc(ids, isNoID) {
			return false
		}
	}
	agent, err := memory.NormalizeAgent(m.Agent)
	return err == nil && agent == m.Agent && (m.Commit == "" || memory.IsCommit(m.Commit)) &&
		(m.Origin == nil || m.Origin.IsValid()) && (m.Signature == "" || memory.IsSignature(m.Signature))
}

func plausibleRefs(refs []memory.Ref) bool {
	abnormal := func(r memory.Ref) bool { return !r.IsNormal() }
	return len(refs) <= memory.MaxRefs && !slices.ContainsFunc(refs, abnormal)
}

func isNoID(id memory.ID) bool {
	parsed, err := memory.ParseID(string(id))
	return err != nil || parsed != id
}
