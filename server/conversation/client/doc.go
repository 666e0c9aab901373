// Package client is the Go client of ltm-server's memory for applications: threads, events, claims, retrieval.
//
// It needs only the standard library. An application has a [Client] for each key, and names its users itself. With
// [Options.UserToken], the server takes the user from a token of the application's issuer instead:
//
//	memory, err := client.New(client.Options{URL: "http://127.0.0.1:5860", Key: key})
//	thread, err := memory.CreateThread(ctx, client.NewThread{User: "ann"})
//	added, err := memory.AddEvent(ctx, thread, client.NewEvent{Actor: "user", Content: "I live in Rome."})
//	found, err := memory.Retrieve(ctx, client.Question{Thread: thread, Query: "Where does Ann live?"})
//
// A request that the server refuses returns an [*Error]. Requests that change nothing, or that carry an idempotency
// key, are repeated when the server is busy; see [Options.Attempts].
package client
