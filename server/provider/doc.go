// Package provider asks a model for embeddings, summaries, claims and replies, over any endpoint that speaks the OpenAI
// HTTP API: OpenAI, Groq, Ollama, vLLM, llama.cpp. A [Client] has one endpoint: a base URL, a model and a key.
// Providers are optional: without one, or if it fails, callers continue with what they can do themselves.
//
// The contract:
//
//   - Every call ends. Each attempt and the call as a whole have a deadline. Attempts are few, with jitter between
//     them, and Retry-After is obeyed up to a limit, beyond which the call fails at once and says when to come back.
//     A circuit breaker stops calls to an endpoint that keeps failing.
//   - Every call is charged to an app. A [Meter] counts tokens and cost, and refuses calls that exceed the app's daily
//     limit ([UsedUp]). It reserves the expected tokens before it sends, so concurrent calls share a limit. A request
//     whose answer was lost counts as the most that it may have used.
//   - Credentials in texts are masked before they leave the machine. Stored text is fenced as data: each of its lines
//     begins with a mark that it cannot forge, and control tokens of chat templates are broken up.
//   - An answer is not trusted: its size is limited, and every value is checked before it is returned. Vectors of a
//     wrong size or number are refused. Claims are checked one by one; a bad one does not cost the others.
//   - The key goes only to its endpoint. Redirects are errors. Neither an error nor a printed value of this package
//     contains the key or any of the texts; of an endpoint's error, only the code is quoted.
//   - It connects only to the endpoint, and not before the first call.
//
// This package stores nothing, logs nothing, reads no environment and starts no goroutine of its own. The clock,
// waiting and randomness are arguments ([Env]).
//
// It uses net/http directly, because it needs only two requests: OpenAI's library reads its address and key from the
// environment, reads answers without a limit, retries by its own clock, and pulls in the libraries of two clouds.
package provider
