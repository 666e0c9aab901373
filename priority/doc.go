// Package priority computes how much a memory is worth keeping, and how hard the work was that led to it. Both are
// numbers from 0 to 1 and come with a [Breakdown] that spells out their arithmetic.
//
// It is pure: counts and figures in, a number out; no clock, file or randomness. It does not decide what happens to a
// memory of low priority, and imports no package of the module but memory.
//
// Every input is accepted. A value out of range counts as the nearest one in range, and NaN as 0,
// so a score is always finite and in [0,1]: figures come from files that people edit, and one bad
// figure must not make a memory unevictable or an order inconsistent.
package priority
