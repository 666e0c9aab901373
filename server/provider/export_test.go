package provider

import "io"

// Tests reach the parsers of answers through these.

// ParseVectors is the parser of answers with vectors.
func ParseVectors(body []byte, n, dimension int) ([]Vector, error) {
	v, _, err := parseVectors(body, n, dimension)
	return v, plain(err)
}

// ParseReply is the parser of answers with text.
func ParseReply(body []byte) (string, error) {
	r, _, err := parseReply(body)
	return r, plain(err)
}

// Pieces is the parser of answers that come in parts.
func Pieces(body io.Reader) (pieces []string, err error) {
	s := &stream{out: func(piece string) error {
		pieces = append(pieces, piece)
		return nil
	}}
	failed, err := s.read(&Client{}, body, func() {})
	if err == nil {
		err = plain(failed)
	}
	return pieces, err
}

// ParseClaims is the parser of lists of claims.
func ParseClaims(text string, ids, buckets []string) (Extraction, error) {
	x, err := parseClaims(text, offered{events: ids, buckets: buckets})
	return x, plain(err)
}

// ErrorIn is the parser of errors in answers, as a client with a key quotes them.
func ErrorIn(body []byte, key Key) (string, bool) {
	f, ok := errorIn(body)
	return (&Client{o: Options{Endpoint: Endpoint{Key: key}}}).code(f), ok
}

func plain(err *Error) error {
	if err == nil {
		return nil
	}
	return err
}
