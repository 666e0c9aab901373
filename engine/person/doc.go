// Package person puts a person's own store beside that of a project. [Shelves] route requests by scope and id, and
// merge answers. The person's store is asked in parallel and with a time limit, because it may be on a network disk; an
// answer without it says so.
package person
