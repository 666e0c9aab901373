// Package server answers the HTTP requests of the protocol of packets (LTM-SPEC-0001): routes, tokens,
// teams, invites, limits, OpenAPI. It keeps what it is sent in a [Storage], which it declares and others
// implement.
package server
