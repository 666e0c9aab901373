// Package mcp offers the memory of one user of an application to a model as tools of the Model Context Protocol, over
// standard input and output.
//
// It asks a running ltm-server with the application's key. The user and the key are fixed when it is started: no
// argument of a tool can name another user. Memory reaches the model fenced as data and without credentials.
package mcp
