package priority

import (
	"fmt"
	"math"
)

// Profile defines how the use of a memory becomes recency and frequency. With s the sessions since
// the last access and n the accesses:
//
//	recency   = scale/(scale+s)
//	frequency = min(1, n/full), or logarithmic: min(1, ln(1+n)/ln(1+full))
//
// where n halves every halfLife sessions, unless halfLife is 0.
type Profile struct {
	scale       float64
	full        float64
	logarithmic bool
	halfLife    float64
}

const (
	ClassicProfile  = "classic"  // the predecessor's
	BalancedProfile = "balanced" // the default
)

// ProfileNames lists the names that [ProfileOf] knows, the default first.
func ProfileNames() []string { return []string{BalancedProfile, ClassicProfile} }

// Name returns the name of a profile, or "" for one that has none.
func (p Profile) Name() string {
	for _, name := range ProfileNames() {
		if known, _ := ProfileOf(name); known == p {
			return name
		}
	}
	return ""
}

// ProfileOf returns the profile of that name. ok is false for an unknown name.
//
// In 200 simulated sessions over 300 memories (eviction/simulation_test.go), the balanced profile
// keeps more of the needed memories in sight and archives fewer of them: recency halves in five
// sessions instead of one, the first few accesses count most, and past use fades.
func ProfileOf(name string) (p Profile, ok bool) {
	switch name {
	case BalancedProfile:
		return Profile{scale: 5, full: 5, logarithmic: true, halfLife: 30}, true
	case ClassicProfile:
		return Profile{scale: 1, full: 10}, true
	}
	return Profile{}, false
}

func (p Profile) recency(u Use) float64 {
	if u.SessionsSinceAccess < 0 {
		return 0
	}
	return p.scale / (p.scale + float64(u.SessionsSinceAccess))
}

func (p Profile) frequency(u Use) float64 {
	if u.SessionsSinceAccess < 0 {
		return 0
	}
	n := p.faded(u.Accesses, u.SessionsSinceAccess)
	if !p.logarithmic {
		return share(n, p.full)
	}
	return share(math.Log1p(n), math.Log1p(p.full))
}

// Formulas spells the arithmetic of the recency and the frequency of u, for example "5/(5 + 1)" and
// "ln(1 + 1.50)/ln(1 + 5)", which is limited to 1.
func (p Profile) Formulas(u Use) (recency, frequency string) {
	recency = fmt.Sprintf("%g/(%g + %d)", p.scale, p.scale, u.SessionsSinceAccess)
	n := p.faded(u.Accesses, u.SessionsSinceAccess)
	if frequency = fmt.Sprintf("%.2f/%g", n, p.full); p.logarithmic {
		frequency = fmt.Sprintf("ln(1 + %.2f)/ln(1 + %g)", n, p.full)
	}
	if n > p.full {
		frequency += ", at most 1"
	}
	return recency, frequency
}

// faded returns n accesses after they have decayed for a number of sessions.
func (p Profile) faded(n float64, sessions int) float64 {
	if !(n > 0) {
		return 0
	}
	if p.halfLife <= 0 || sessions <= 0 {
		return n
	}
	return n * math.Exp2(-float64(sessions)/p.halfLife)
}

// How much an access counts. Opening a memory proves that it is used; the first hit of a search
// counts half, because it may not have been read.
const (
	Opened   = 1.0
	FirstHit = 0.5
)

// Access returns the accesses of a memory after another one that adds counts: the previous
// accesses, decayed over sessionsSince sessions, plus counts.
func (p Profile) Access(accesses float64, sessionsSince int, counts float64) float64 {
	return p.faded(accesses, sessionsSince) + counts
}
