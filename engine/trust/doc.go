// Package trust decides which memories come from elsewhere and whether they are held back. It approves and revokes,
// makes and checks signatures, and refuses credentials in what is written.
//
//   - A [Filter] holds back what no person has approved.
//   - [Origins] mark the memories of an answer that come from elsewhere.
//   - A [Prover] checks the signatures of memories during one look at a store.
package trust
