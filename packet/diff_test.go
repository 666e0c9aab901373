package packet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// TestDiff changes a full packet in every way.
func TestDiff(t *testing.T) {
	from := parsed(t, "valid/v02-full.json")
	to := parsed(t, "valid/v02-full.json")
	to.ID, to.ParentID = "01K3Q8ZJ6M4T2V9XWBDN7RHE03", from.ID
	to.Goal = "Another goal."
	to.Project = nil
	to.SuccessCriteria = []string{from.SuccessCriteria[1], from.SuccessCriteria[0]}
	to.Constraints = append([]string{"First."}, from.Constraints...)
	to.Decisions[0].Locked, to.Decisions[0].Consequences = false, ""
	to.Decisions[1].Locked = true
	to.Decisions = append(to.Decisions, packet.Decision{What: "New.", Why: "Because."})
	to.Methods = to.Methods[1:]
	to.Attempts[1].Outcome = packet.Failed
	to.Tags = []string{"rtc", "rtc"}
	to.Provenance.Confidence = packet.High
	require.Equal(t, []packet.Change{
		{Path: "/id", Kind: packet.Changed, Old: from.ID, New: to.ID},
		{Path: "/parent_id", Kind: packet.Changed, Old: from.ParentID, New: from.ID},
		{Path: "/project/name", Kind: packet.Removed, Old: "tide-gauge"},
		{Path: "/project/ref", Kind: packet.Removed, Old: "git.example.org/harbor/tide-gauge"},
		{Path: "/goal", Kind: packet.Changed, Old: from.Goal, New: to.Goal},
		{Path: "/success_criteria", Kind: packet.Moved},
		{Path: "/constraints/0", Kind: packet.Added, New: "First."},
		{Path: "/decisions/0/consequences", Kind: packet.Removed, Old: from.Decisions[0].Consequences},
		{Path: "/decisions/0/locked", Kind: packet.Removed, Old: "true"},
		{Path: "/decisions/1/locked", Kind: packet.Added, New: "true"},
		{Path: "/decisions/2/what", Kind: packet.Added, New: "New."},
		{Path: "/decisions/2/why", Kind: packet.Added, New: "Because."},
		{Path: "/methods/0/name", Kind: packet.Removed, Old: "calibrate-crystal"},
		{Path: "/methods/0/when_applicable", Kind: packet.Removed, Old: from.Methods[0].WhenApplicable},
		{Path: "/methods/0/how", Kind: packet.Removed, Old: from.Methods[0].How},
		{Path: "/attempts/1/outcome", Kind: packet.Changed, Old: "succeeded", New: "failed"},
		{Path: "/tags/1", Kind: packet.Added, New: "rtc"},
		{Path: "/tags/0", Kind: packet.Removed, Old: "firmware"},
		{Path: "/provenance/confidence", Kind: packet.Changed, Old: "medium", New: "high"},
	}, packet.Diff(&from, &to))
}

// TestDiffOfEmptyObjects knows them from missing ones.
func TestDiffOfEmptyObjects(t *testing.T) {
	none, empty, named := small(), small(), small()
	empty.Project = &packet.Project{}
	named.Project = &packet.Project{Name: "n"}
	require.Equal(t, []packet.Change{{Path: "/project", Kind: packet.Added, New: "{}"}}, packet.Diff(&none, &empty))
	require.Equal(t, []packet.Change{{Path: "/project", Kind: packet.Removed, Old: "{}"}}, packet.Diff(&empty, &none))
	require.Equal(t, []packet.Change{{Path: "/project", Kind: packet.Removed, Old: "{}"},
		{Path: "/project/name", Kind: packet.Added, New: "n"}}, packet.Diff(&empty, &named))
}

// requireDiff checks what holds for the differences of any two packets.
func requireDiff(t *testing.T, a, b *packet.Packet) {
	t.Helper()
	there, back := packet.Diff(a, b), packet.Diff(b, a)
	require.Equal(t, canonical(t, a) == canonical(t, b), len(there) == 0)
	require.Equal(t, balance(there, 1), balance(back, -1))
	old, now := a.Texts(), b.Texts()
	for _, c := range there {
		in, value := now, c.New
		if c.Kind == packet.Removed {
			in, value = old, c.Old
		}
		require.True(t, c.Kind == packet.Moved || value == "{}" || value == "true" ||
			slices.Contains(in, packet.Text{Path: c.Path, Value: value}), "%v", c)
	}
}

// balance counts the changes by kind, with added and removed as seen from the other side if side
// is -1.
func balance(changes []packet.Change, side int) map[packet.ChangeKind]int {
	n := map[packet.ChangeKind]int{}
	for _, c := range changes {
		switch {
		case side < 0 && c.Kind == packet.Added:
			c.Kind = packet.Removed
		case side < 0 && c.Kind == packet.Removed:
			c.Kind = packet.Added
		}
		n[c.Kind]++
	}
	return n
}

// TestDiffOfAnyPackets compares random packets with each other, and with a copy of which one list
// is in another order.
func TestDiffOfAnyPackets(t *testing.T) {
	for seed := range uint64(100) {
		g := newGenerator(seed)
		a, b := g.packet(), g.packet()
		requireDiff(t, &a, &a)
		requireDiff(t, &a, &b)
		c := a
		c.Decisions = slices.Clone(a.Decisions)
		slices.Reverse(c.Decisions)
		requireDiff(t, &a, &c)
	}
}

// TestDiffDoesNotTakeForever compares the longest lists of equal items.
func TestDiffDoesNotTakeForever(t *testing.T) {
	a, b := small(), small()
	for range 64 {
		a.Attempts = append(a.Attempts, packet.Attempt{Tried: strings.Repeat("x", 9), Outcome: packet.Failed})
		b.Attempts = append(b.Attempts, packet.Attempt{Tried: strings.Repeat("x", 9), Outcome: packet.Partial})
	}
	require.Len(t, packet.Diff(&a, &b), 64)
}
