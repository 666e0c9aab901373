// Package longline reads JSON-RPC messages, one per line, and never holds a line in memory that is longer than a limit.
// In a longer line it only finds the id, so that the request can be refused. It does not check messages in any other
// way.
package longline
