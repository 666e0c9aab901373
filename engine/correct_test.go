package engine_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// correct stores a memory that supersedes others.
func (f *fixture) correct(topic, content string, old ...memory.ID) memory.ID {
	f.t.Helper()
	d := api.Draft{Topic: topic, Content: content}
	for _, id := range old {
		d.Supersedes = append(d.Supersedes, string(id))
	}
	r, err := f.Remember(f.ctx, d)
	require.NoError(f.t, err)
	return r.ID
}

// idsOf returns the ids of a listing.
func (f *fixture) idsOf(include api.Include) (ids []memory.ID) {
	f.t.Helper()
	list, err := f.List(f.ctx, api.ListFilter{Include: include})
	require.NoError(f.t, err)
	for _, m := range list.Memories {
		ids = append(ids, m.ID)
	}
	return ids
}

// remarks returns the remarks of a check, as kind and place.
func (f *fixture) remarks() (found []string) {
	f.t.Helper()
	report, err := f.Check(f.ctx)
	require.NoError(f.t, err)
	require.True(f.t, report.OK, "%v", report.Problems)
	for _, p := range report.Remarks {
		found = append(found, p.Kind+" "+p.Where)
	}
	return found
}

func TestAChainOfCorrectionsHolds(t *testing.T) {
	f := newEngine(t)
	first := f.remember("Pool", "It holds 10.", 0.5)
	second := f.correct("Pool now", "It holds 20.", first)
	third := f.correct("Pool today", "It holds 30.", second)
	require.Equal(t, []memory.ID{third}, f.idsOf(api.IncludeActive))
	require.ElementsMatch(t, []memory.ID{first, second}, f.idsOf(api.IncludeArchives))
	d, err := f.PeekArchive(f.ctx, string(first))
	require.NoError(t, err)
	require.Equal(t, []memory.ID{third}, d.SupersededBy, "the end of the chain, not a stub")
	require.Equal(t, memory.ReasonSuperseded, d.ArchivedReason)
	require.Empty(t, f.remarks())

	found, err := f.Recall(f.ctx, api.Query{Text: "what does the pool hold?"})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
	found, err = f.Recall(f.ctx, api.Query{Text: "what does the pool hold?", Include: api.IncludeAll})
	require.NoError(t, err)
	require.Len(t, found.Memories, 3)
	for _, h := range found.Memories {
		require.Equal(t, h.ID != third, len(h.SupersededBy) > 0, h.ID)
	}
}

// TestForgettingACorrectionDropsItsClaim, and brings nothing back by itself.
func TestForgettingACorrectionDropsItsClaim(t *testing.T) {
	for _, hard := range []bool{false, true} {
		f := newEngine(t)
		old := f.remember("Pool", "It holds 10.", 0.5)
		newer := f.correct("Pool now", "It holds 20.", old)
		var err error
		if hard {
			_, err = f.Erase(f.ctx, string(newer))
		} else {
			_, err = f.Forget(f.ctx, string(newer))
		}
		require.NoError(t, err)
		require.Empty(t, f.idsOf(api.IncludeActive))
		d, err := f.PeekArchive(f.ctx, string(old))
		require.NoError(t, err)
		require.Empty(t, d.SupersededBy)
		r, err := f.Restore(f.ctx, string(old), "")
		require.NoError(t, err)
		require.NotContains(t, r.Message.String(), "superseded")
		require.Equal(t, []memory.ID{old}, f.idsOf(api.IncludeActive))
		require.NotContains(t, f.start("s"), "superseded")
	}
}

// TestCorrectionsAtOnce has two engines correct one memory at the same time: both are kept.
func TestCorrectionsAtOnce(t *testing.T) {
	f := newEngine(t)
	old := f.remember("Pool", "It holds 10.", 0.5)
	var wait sync.WaitGroup
	ids := make([]memory.ID, 2)
	for i := range ids {
		e := f.reopen(rand.Reader)
		wait.Go(func() {
			r, err := e.Remember(f.ctx, api.Draft{Topic: fmt.Sprint("Pool ", i), Content: fmt.Sprint("It holds 2", i),
				Supersedes: []string{string(old)}})
			if err == nil {
				ids[i] = r.ID
			}
		})
	}
	wait.Wait()
	require.ElementsMatch(t, ids, f.idsOf(api.IncludeActive))
	require.Equal(t, []string{"several corrections " + string(old)}, f.remarks())
}

// TestACorrectionNamesOthers corrects what was corrected already, directly and through another one.
// TestACorrectionOfWhatIsArchived supersedes a memory that was forgotten, also when its text is gone.
func TestACorrectionOfWhatIsArchived(t *testing.T) {
	f := newEngine(t)
	old := f.remember("The pool", "It holds 50 connections.", 0.5)
	_, err := f.Forget(f.ctx, string(old))
	require.NoError(t, err)
	for i, prepare := range []func(){func() {}, func() {
		require.NoError(t, os.RemoveAll(filepath.Join(f.dir, "archives")))
	}} {
		prepare()
		r, err := f.Remember(f.ctx, api.Draft{Topic: fmt.Sprint("The pool ", i), Content: fmt.Sprint("Now ", i),
			Supersedes: []string{string(old)}})
		require.NoError(t, err)
		require.Contains(t, r.Message.String(), string(old)+" had been archived before")
		d, err := f.Get(f.ctx, string(r.ID))
		require.NoError(t, err)
		require.Equal(t, []memory.ID{old}, d.Supersedes)
	}
	for _, d := range []api.Draft{{Supersedes: []string{"mem_0badbad0"}}, {Disputes: []string{"mem_0badbad0"}},
		{Related: []string{"mem_0badbad0"}}} {
		d.Topic, d.Content = "t", "c"
		_, err := f.Remember(f.ctx, d)
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	}
}

// TestARepeatedCorrectionIsADuplicate repeats one that is finished, and one that names another memory.
func TestARepeatedCorrectionIsADuplicate(t *testing.T) {
	f := newEngine(t)
	old, other := f.remember("Pool", "It holds 10.", 0.5), f.remember("Port", "It is 80.", 0.5)
	f.correct("Pool now", "It holds 20.", old)
	for _, id := range []memory.ID{old, other} {
		_, err := f.Remember(f.ctx, api.Draft{Topic: "Pool now", Content: "It holds 20.",
			Supersedes: []string{string(id)}})
		require.Equal(t, memory.KindDuplicate, memory.KindOf(err))
	}
	require.Contains(t, f.idsOf(api.IncludeActive), other, "nothing was archived")
}

func TestACorrectionNamesOthers(t *testing.T) {
	f := newEngine(t)
	old, other := f.remember("Pool", "It holds 10.", 0.5), f.remember("Port", "It is 80.", 0.5)
	r, err := f.Remember(f.ctx, api.Draft{Topic: "Both", Content: "10 and 80.",
		Supersedes: []string{string(old), string(other)}})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(r.Message), "which stay in the archives")
	require.NotContains(t, fmt.Sprint(r.Message), "also superseded")
	newest := f.correct("Both now", "20 and 80.", r.ID)
	r, err = f.Remember(f.ctx, api.Draft{Topic: "Again", Content: "30.", Supersedes: []string{string(old)}})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(r.Message), "also superseded by "+string(newest)+": keep only what holds")
}

func TestDisputesAreMarkedUntilTheyAreSettled(t *testing.T) {
	f := newEngine(t)
	one := f.remember("Pool", "It holds 10.", 0.5)
	r, err := f.Remember(f.ctx, api.Draft{Topic: "Pool too", Content: "It holds 20.", Disputes: []string{string(one)},
		Related: []string{string(one)}})
	require.NoError(t, err)
	two := r.ID
	disputed := func() int {
		list, err := f.List(f.ctx, api.ListFilter{})
		require.NoError(t, err)
		n := 0
		for _, m := range list.Memories {
			n += len(m.Disputes)
		}
		return n
	}
	require.Equal(t, 2, disputed(), "both are marked")
	block := f.start("s")
	require.Contains(t, block, "in dispute with "+string(one))
	require.Contains(t, block, "in dispute with "+string(two))
	d, err := f.Peek(f.ctx, string(one))
	require.NoError(t, err)
	require.Equal(t, []memory.ID{two}, d.Disputes)
	require.Equal(t, []memory.ID{two}, d.Related)
	why, err := f.Why(f.ctx, string(one))
	require.NoError(t, err)
	require.Contains(t, strings.Join(why.Notes, "\n"), "in dispute with "+string(two))

	_, err = f.Update(f.ctx, string(two), api.Patch{Unlink: []string{string(one)}})
	require.NoError(t, err)
	require.Zero(t, disputed(), "the key was removed")
	data, err := os.ReadFile(f.memoryFile(two))
	require.NoError(t, err)
	require.NotContains(t, string(data), string(one))

	_, err = f.Update(f.ctx, string(one), api.Patch{Disputes: []string{string(two)}})
	require.NoError(t, err)
	require.Equal(t, 2, disputed())
	_, err = f.Update(f.ctx, string(one), api.Patch{Supersedes: []string{string(two)}})
	require.NoError(t, err)
	require.Zero(t, disputed(), "one of them has won")
	_, err = f.Restore(f.ctx, string(two), "")
	require.NoError(t, err)
	require.Zero(t, disputed(), "it stays settled")
}

// TestAForeignChainHidesNothing: every link on the way must be believed.
func TestAForeignChainHidesNothing(t *testing.T) {
	f := newEngine(t)
	target := f.remember("Deploys", "On Mondays.", 0.5)
	middle := f.remember("Builds", "At night.", 0.5)
	mine := f.correct("Builds now", "At noon.", middle)
	stub, err := os.ReadFile(f.memoryFile(middle))
	require.NoError(t, err)
	hostile := strings.Replace(string(stub), "phase: 3\n", "phase: 3\nsupersedes: ["+string(target)+"]\n", 1)
	require.NoError(t, os.WriteFile(f.memoryFile(middle), []byte(hostile), 0o644))
	require.ElementsMatch(t, []memory.ID{target, mine}, f.idsOf(api.IncludeActive))
	_, err = f.Approve(f.ctx, []string{string(middle)})
	require.NoError(t, err)
	require.Equal(t, []memory.ID{mine}, f.idsOf(api.IncludeActive))
}

// TestHostileLinksAreBounded writes a file with thousands of links, and as many files that name one
// memory.
func TestHostileLinksAreBounded(t *testing.T) {
	f := newEngine(t)
	mine := f.remember("Pool", "It holds 10.", 0.5)
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, "mem_%08x, ", i+0x1000)
	}
	require.NoError(t, os.WriteFile(f.memoryFile("mem_0000000a"), []byte("---\ntopic: Many\ndisputes: ["+many.String()+
		string(mine)+"]\n---\nText.\n"), 0o644))
	for i := range 300 {
		id := memory.ID(fmt.Sprintf("mem_000f%04x", i))
		require.NoError(t, os.WriteFile(f.memoryFile(id), []byte("---\ntopic: One of many\nsupersedes: ["+string(mine)+
			"]\ndisputes: ["+string(mine)+"]\n---\nText.\n"), 0o644))
	}
	d, err := f.Peek(f.ctx, string(mine))
	require.NoError(t, err)
	require.Len(t, d.SupersededBy, memory.MaxLinks)
	require.Empty(t, d.Disputes, "what claims to supersede it does not also dispute it")
	require.Contains(t, f.idsOf(api.IncludeActive), mine)
	block := f.start("s")
	require.Less(t, len(block), 10_000)
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, report.OK, "%v", report.Problems)
	require.Less(t, len(report.Remarks), 300)
}

func TestPruneSparesWhatIsSuperseded(t *testing.T) {
	f := newEngine(t)
	old := f.remember("Pool", "It holds 10.", 0.5)
	newer := f.correct("Pool now", "It holds 20.", old)
	f.now = f.now.Add(400 * 24 * time.Hour)
	plan, err := f.PruneArchives(f.ctx, api.PruneOptions{OlderThan: 24 * time.Hour})
	require.NoError(t, err)
	require.Zero(t, plan.Removed)
	require.Len(t, plan.Steps, 1)
	require.Contains(t, plan.Steps[0].Reason, "it is what "+string(newer)+" corrects")
	plan, err = f.PruneArchives(f.ctx, api.PruneOptions{IDs: []string{string(old)}})
	require.NoError(t, err)
	require.Equal(t, 1, plan.Removed)
	require.Equal(t, []string{"link to nothing memories/" + newer.File()}, f.remarks())
}
