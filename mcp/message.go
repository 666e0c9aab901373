package mcp

import (
	"bytes"
	"encoding/json"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

const (
	methodCancelled = "notifications/cancelled"

	// maxBatch bounds the messages of a batch, and so its answers, which are held
	// until all are there.
	maxBatch = 100

	// batchVersion is the only protocol version that has batches.
	batchVersion = "2025-03-26"
)

// message is a message of the client's, as far as it says where it goes.
type message struct {
	raw    json.RawMessage
	id     json.RawMessage // nil: none, or null
	method string
	tool   string          // of a tool call
	about  json.RawMessage // the id of the request that is cancelled
	answer bool            // to a request, none of which are sent
}

// parseMessage reads what is needed of a message. Wrong types are left to what
// handles the message.
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

// isID reports whether a JSON text may be the id of a request: a text or a number.
func isID(raw []byte) bool {
	return len(raw) > 0 && json.Valid(raw) && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// isBatch reports whether a line is a list of messages.
func isBatch(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '['
}

// withID returns a response with the id as the client wrote it: numbers keep their
// digits.
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

// refusal is the response to what is not handled. An id that is not known is null.
func refusal(id json.RawMessage, code int, text string) mcpgo.JSONRPCMessage {
	return withID(mcpgo.JSONRPCError{JSONRPC: mcpgo.JSONRPC_VERSION, Error: mcpgo.NewJSONRPCErrorDetails(code, text, nil)}, id)
}

// encode returns a response as it is written, without the end of the line.
func encode(response mcpgo.JSONRPCMessage) []byte {
	data, err := json.Marshal(response)
	if err != nil { // the values are ours: none is of a kind that cannot be encoded
		data, _ = json.Marshal(refusal(nil, mcpgo.INTERNAL_ERROR, "internal error: "+err.Error()))
	}
	return data
}
