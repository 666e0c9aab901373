// Package provider asks a model for embeddings, summaries, claims and replies, over any endpoint that speaks OpenAI's
// form of HTTP: OpenAI, Groq, Ollama, vLLM, llama.cpp. A [Client] has one endpoint: a base URL, a model and a key.
// Nothing needs this package: with no provider, or one that fails, its callers go on with what they can do themselves.
//
// The contract:
//
//   - Every call ends. Each attempt and the call as a whole have a deadline. Attempts are few, with jitter between
//     them, and Retry-After is obeyed up to a limit, beyond which the call fails at once and says when to come back.
//     A circuit breaker stops calls to an endpoint that keeps failing.
//   - Every call is paid for by an app. A [Meter] counts tokens and cost, and refuses what an app's limit of the day
//     does not cover ([UsedUp]). It reserves what it expects before it sends, so calls at the same time share a limit.
//     A request whose answer was lost counts as the most that it may have taken.
//   - Credentials in texts are masked before they leave the machine. Stored text is fenced as data: each of its lines
//     begins with a mark that it cannot forge, and control tokens of chat templates are taken apart.
//   - An answer is not trusted: its size is limited, and every value is checked before it is returned. Vectors of a
//     wrong size or number are refused. Claims are checked one by one; a bad one does not cost the others.
//   - The key goes to its endpoint alone. Redirects are errors. No error, and no value of this package when it is
//     printed, has the key or anything of the texts; of an endpoint's error only its code is quoted.
//   - There is no connection but to the endpoint, and none before the first call.
//
// This package stores nothing, logs nothing, reads no environment and starts no goroutine of its own. The clock, the
// waiting and the randomness are arguments ([Env]).
//
// It speaks net/http itself. The library of OpenAI reads its address and key from the environment, reads answers
// without a limit, retries by its own clock, and brings the libraries of two clouds along, for two requests.
package provider
