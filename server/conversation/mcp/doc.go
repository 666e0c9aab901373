// Package mcp offers the memory of one user of an application to a model as tools of the Model Context Protocol, over
// standard input and output.
//
// It asks a running ltm-server with the application's key. Whose memory it is and which key it has is decided where the
// server is started: no argument of a tool can name another user. What is remembered goes to the model fenced as data
// and without credentials.
package mcp
