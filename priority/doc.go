// Package priority says how much a memory is worth keeping, and how hard the
// work was that taught it. Both are numbers from 0 to 1, and both come with a
// [Breakdown] that spells out their arithmetic.
//
// It is pure: counts and figures in, a number out; no clock, file or
// randomness. It does not decide what happens to a memory of low priority, and
// it imports nothing of the module.
//
// Every input is accepted. What is out of range counts as the nearest value in
// range, and not-a-number as 0, so a score is always finite and in [0,1]: the
// figures come from files that people edit, and an odd one must not make a
// memory immortal or an ordering partial.
package priority
