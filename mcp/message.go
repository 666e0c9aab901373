package mcp

import (
	"bytes"
	"encoding/json"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

const (
	methodCancelled = "notifications/cancelled"

	// maxBatch bounds the messages of a batch, and so the answers that wait for its last one.
	maxBatch = 100

	// batchVersion is the only protocol version that has batches.
	batchVersion = "2025-03-26"
)

// message is a message from the client, with the parts that decide how it is handled.
type message struct {
	raw    json.RawMessage
	id     json.RawMessage // nil: absent or null
	method string
	tool   string          // of a tool call
	about  json.RawMessage // the id of the request to cancel
	answer bool            // to a request, although the server sends none
}

// parseMessage reads the parts of a message that dispatch needs. It leaves wrong types to the handler of the message.
func parseMessage(raw json.RawMessage) message {
	m := message{raw: raw}
	var fields struct{ ID, Method, Params, Result, Error json.RawMessage }
	if json.Unmarshal(raw, &fields) != nil {
		return m
	}
	var params struct{ Name, RequestID json.RawMessage }
	_ = json.Unmarshal(fields.Method, &m.method)
	_ = json.Unmarshal(fields.Params, &params)
	_ = json.Unmarshal(params.Name, &m.tool)
	m.about = params.RequestID
	if !isNull(fields.ID) {
		m.id = fields.ID
	}
	m.answer = !isNull(fields.Result) || m.method == "" && !isNull(fields.Error)
	return m
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// isBatch reports whether a line starts as a list of messages.
func isBatch(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '['
}

// withID returns a response with the id exactly as the client wrote it, every digit of a number included.
func withID(response mcpgo.JSONRPCMessage, id json.RawMessage) mcpgo.JSONRPCMessage {
	if id == nil {
		return response
	}
	switch r := response.(type) {
	case mcpgo.JSONRPCResponse:
		r.ID = mcpgo.NewRequestId(id)
		return r
	case mcpgo.JSONRPCError:
		r.ID = mcpgo.NewRequestId(id)
		return r
	}
	return response
}

// refusal is the error response to a message. A nil id becomes null.
func refusal(id json.RawMessage, code int, text string) mcpgo.JSONRPCMessage {
	details := mcpgo.NewJSONRPCErrorDetails(code, text, nil)
	return withID(mcpgo.JSONRPCError{JSONRPC: mcpgo.JSONRPC_VERSION, Error: details}, id)
}

// encode returns a response as it is written, without the newline.
func encode(response mcpgo.JSONRPCMessage) []byte {
	data, err := json.Marshal(response)
	if err != nil { // not expected: the server makes every value itself
		data, _ = json.Marshal(refusal(nil, mcpgo.INTERNAL_ERROR, "internal error: "+err.Error()))
	}
	return data
}
