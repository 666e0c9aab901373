// Package packet parses, checks and writes Core Memory Packets: small JSON documents (protocol LTM-SPEC-0001, versions
// 0.1 and 0.2) that hand unfinished work to another session, machine or person.
//
// A [Packet] holds the goal, the next step, decisions, attempts, open questions and everything else that the next
// session needs. [Parse] reads one as it was sent and [ParseStored] one as a server returned it. Both list every
// [Fault] with its place. [Packet.Canonical] returns the shortest bytes of a packet, which are the same for the same
// value. [Fix] makes a packet of a document that is nearly one. [IDs] makes ULIDs and completes new packets. [Resume]
// writes the text that a session starts from, [Diff] compares two packets, and [Chains] follows parent_id.
//
// # Contract
//
// The package is pure: no file, clock, network or randomness that is not an argument, and nothing from the rest of the
// module. Inputs are not changed. Any input gives a result or faults, in time and memory bounded by the size of the
// input.
//
// Every text of a valid packet survives Parse and Canonical unchanged. An empty list, an empty optional text and
// "locked": false mean the same as a missing one, and Canonical leaves them out, as the reference implementation does.
// Empty objects remain.
//
// # Stricter than the reference implementation
//
// The reference implementation accepts the following; Parse does not:
//   - Duplicate keys. Readers disagree about which value counts, so a check for credentials may
//     look at one value while the next reader shows the other.
//   - Lone surrogates and bytes that are not UTF-8. The reference replaces them by U+FFFD, which
//     changes the text without a word.
//   - A comma as the decimal sign and an hour of one digit in created_at. They pass there by
//     accident, and are not RFC 3339.
//
// # What it does not do
//
// It does not look for credentials or local paths (see [Packet.Texts] for the texts that such a check must cover), does
// not say what to do about a fault, and does not send or store anything.
package packet
