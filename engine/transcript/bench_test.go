package transcript_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"ltm/engine/transcript"
)

// recording makes a transcript of about size bytes with an ordinary mix of calls: a fifth edit
// files, the others return much text, which occurs twice in its line, and some fail.
func recording(size int) []byte {
	var b bytes.Buffer
	code := strings.Repeat(`\tif err := s.open(\"orders\", 3); err != nil {\n\t\treturn fmt.Errorf(\"open: %w\", err)\n\t}\n`, 40)
	head := func(n int) string {
		return fmt.Sprintf(`{"parentUuid":"00000000-0000-4000-8000-%012d","isSidechain":false,`, n)
	}
	tail := func(n int) string {
		return fmt.Sprintf(`"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-01-15T10:30:00.000Z","cwd":"/home/dev/shop","version":"2.1.329","gitBranch":"main"`, n+1)
	}
	usage := `"usage":{"input_tokens":1000,"cache_read_input_tokens":30000,"output_tokens":120,"server_tool_use":{"web_search_requests":0},"service_tier":"standard"}`
	for n := 0; b.Len() < size; n += 3 {
		call := fmt.Sprintf(`{"type":"tool_use","id":"toolu_%020d","name":"Bash","input":{"command":"go test ./%d","description":"run it"}}`, n, n)
		if n%5 == 0 {
			call = fmt.Sprintf(`{"type":"tool_use","id":"toolu_%020d","name":"Edit","input":{"file_path":"/home/dev/shop/%d.go","old_string":"%s","new_string":"%s"}}`, n, n, code[:800], code[:880])
		}
		fmt.Fprintf(&b, `%s"message":{"model":"m","id":"msg_%020d","type":"message","role":"assistant","content":[{"type":"text","text":"Now the orders."}],"stop_reason":null,%s},"type":"assistant",%s}`+"\n", head(n), n, usage, tail(n))
		fmt.Fprintf(&b, `%s"message":{"model":"m","id":"msg_%020d","type":"message","role":"assistant","content":[%s],"stop_reason":"tool_use",%s},"type":"assistant",%s}`+"\n", head(n+1), n, call, usage, tail(n+1))
		failed := n%7 == 0
		fmt.Fprintf(&b, `%s"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%020d","type":"tool_result","content":"%s","is_error":%t}]},%s,"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}}`+"\n", head(n+2), n, code, failed, tail(n+2), code)
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, mb := range []int{1, 10} {
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			raw := recording(mb << 20)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				work, _, err := transcript.Claude.Read(b.Context(), bytes.NewReader(raw), transcript.State{}, 0)
				if err != nil || work.Main.Calls == 0 || work.Unread > 0 {
					b.Fatal(work, err)
				}
			}
		})
	}
	// The cost of the next reading when a session's file has 100 MB.
	b.Run("100MB-tail", func(b *testing.B) {
		raw := recording(100 << 20)
		at := len(raw) - 10<<10
		at += bytes.IndexByte(raw[at:], '\n') + 1
		_, read, err := transcript.Claude.Read(context.Background(), bytes.NewReader(raw[:at]), transcript.State{}, 0)
		if err != nil || read.Offset != int64(at) {
			b.Fatal(read.Offset, err)
		}
		file := bytes.NewReader(raw)
		b.SetBytes(int64(len(raw) - at))
		for b.Loop() {
			_, _ = file.Seek(read.Offset, 0)
			work, _, err := transcript.Claude.Read(context.Background(), file, read, 0)
			if err != nil || work.Main.Calls == 0 {
				b.Fatal(work, err)
			}
		}
	})
}

// BenchmarkOutline reads a record for a draft of a packet.
func BenchmarkOutline(b *testing.B) {
	raw := recording(10 << 20)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		o, err := transcript.Outline{}.Read(context.Background(), bytes.NewReader(raw), 0)
		if err != nil || !o.Worked() || o.Missing {
			b.Fatal(o, err)
		}
	}
}
