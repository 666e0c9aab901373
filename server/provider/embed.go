package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"strings"
)

// Limits of embeddings.
const (
	maxDimension   = 16384
	maxTexts       = 10_000  // of one call
	maxText        = 1 << 20 // bytes of one text of a request
	maxBatchBytes  = 256 << 10
	maxAnswerModel = 256
)

// Vector is a text as a model sees it. Only vectors of the same model and dimension can be compared.
type Vector struct {
	Values    []float32 // finite, not all of them 0
	Dimension int       // the number of Values
	Model     string    // that was asked for
	Answered  string    // the model that the endpoint says answered, or ""
}

// Embed returns one vector for each text, in their order. Texts must not be blank. Credentials in them are masked.
//
// The texts are sent in batches. If one fails, Embed returns the vectors of those before it, beside the error, so that
// what was paid for is kept and a later call can go on with the others.
func (c *Client) Embed(ctx context.Context, app string, texts []string) ([]Vector, error) {
	if err := checkApp(app); err != nil {
		return nil, err
	}
	clean, err := c.embeddable(texts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.CallTime)
	defer cancel()
	out := make([]Vector, 0, len(clean))
	for len(clean) > 0 {
		n := batch(clean, c.o.Batch)
		vectors, err := c.embedBatch(ctx, app, clean[:n])
		if err != nil {
			return out, err
		}
		if len(out) > 0 && (vectors[0].Dimension != out[0].Dimension || vectors[0].Answered != out[0].Answered) {
			return out, newError(BadAnswer, "the endpoint changed the model or the dimension between two requests")
		}
		out = append(out, vectors...)
		clean = clean[n:]
	}
	return out, nil
}

// embeddable returns the texts as they are sent.
func (c *Client) embeddable(texts []string) ([]string, error) {
	if len(texts) > maxTexts {
		return nil, newError(BadInput, "%d texts are more than %d", len(texts), maxTexts)
	}
	clean := make([]string, len(texts))
	for i, text := range texts {
		if len(text) > maxText {
			return nil, newError(BadInput, "text %d is longer than %d bytes", i, maxText)
		}
		clean[i] = c.mask(text)
		if strings.TrimSpace(clean[i]) == "" {
			return nil, newError(BadInput, "text %d is blank", i)
		}
	}
	return clean, nil
}

// batch returns how many of the texts make the next request: at least one.
func batch(texts []string, most int) int {
	size := 0
	for n, text := range texts {
		size += len(text)
		if n > 0 && (n == most || size > maxBatchBytes) {
			return n
		}
	}
	return len(texts)
}

// embedBatch sends one request.
func (c *Client) embedBatch(ctx context.Context, app string, texts []string) ([]Vector, error) {
	asked := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Format     string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{Model: c.o.Model, Input: texts, Format: "float"}
	if c.o.AskDimension {
		asked.Dimensions = c.o.Dimension
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, newError(BadInput, "the texts cannot be encoded")
	}
	var out []Vector
	err = c.call(ctx, request{app: app, route: []string{"embeddings"}, body: body, maxAnswer: maxVectors,
		read: func(body []byte) (tokens, *Error) {
			vectors, used, err := parseVectors(body, len(texts), c.o.Dimension)
			for i := range vectors {
				vectors[i].Model = c.o.Model
			}
			out = vectors
			return used, err
		}})
	return out, err
}

// parseVectors reads an answer with n vectors of a dimension, or of any one dimension if that is 0.
func parseVectors(body []byte, n, dimension int) ([]Vector, tokens, *Error) {
	var answer struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
		Model string `json:"model"`
		Usage tokens `json:"usage"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, tokens{}, newError(BadAnswer, "the answer is not a list of embeddings")
	}
	if len(answer.Data) != n {
		return nil, answer.Usage, newError(BadAnswer, "the answer has %d vectors for %d texts", len(answer.Data), n)
	}
	model := answer.Model
	if len(model) > maxAnswerModel || !printable(model) {
		model = ""
	}
	out := make([]Vector, n)
	for _, item := range answer.Data {
		switch {
		case item.Index == nil:
			return nil, answer.Usage, newError(BadAnswer, "a vector does not say which text it is of")
		case *item.Index < 0 || *item.Index >= n || out[*item.Index].Values != nil:
			return nil, answer.Usage, newError(BadAnswer, "the vectors' indexes are not those of the texts")
		}
		dimension = cmp.Or(dimension, len(item.Embedding))
		if len(item.Embedding) != dimension || dimension == 0 || dimension > maxDimension {
			return nil, answer.Usage, newError(BadAnswer, "a vector has %d numbers instead of %d",
				len(item.Embedding), dimension)
		}
		values, ok := narrow(item.Embedding)
		if !ok {
			return nil, answer.Usage, newError(BadAnswer, "a vector has no length that can be compared")
		}
		out[*item.Index] = Vector{Values: values, Dimension: dimension, Answered: model}
	}
	return out, answer.Usage, nil
}

// narrow returns numbers in half their size, and whether their squares have a sum that is finite and not 0: others
// have no direction.
func narrow(in []float64) ([]float32, bool) {
	out := make([]float32, len(in))
	sum := float32(0)
	for i, v := range in {
		out[i] = float32(v)
		sum += out[i] * out[i]
	}
	return out, sum > 0 && !math.IsInf(float64(sum), 0)
}
