// Package rank puts memories in order: by priority as this clone has used them, with their phase in its view, what
// other memories say of them ([Standings]) and whether the files that they refer to have changed ([Staleness]). It
// counts accesses, and learns aliases from the questions of a session. It answers no request itself.
package rank
