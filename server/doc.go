// Package server implements the HTTP API of the packet protocol (LTM-SPEC-0001): routes, tokens, teams, invites,
// limits, OpenAPI. It stores everything in a [Storage], an interface that it declares and others implement.
package server
