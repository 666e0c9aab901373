package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet"
)

// Packets has the use cases of packets, which are where unfinished work stands.
type Packets interface {
	Write(context.Context, api.PacketDraft) (api.PacketReceipt, error)
	Resume(context.Context, api.ResumePacket) (api.Resumption, error)
	List(context.Context, api.PacketFilter) (api.PacketList, error)
}

func writePacket(p Packets, session string) boundTool {
	s := spec{
		name: "write_packet",
		description: "Hand unfinished work over to another session or person. Give what you know; id, time and " +
			"author are added. No secrets or local paths.",
		prints: "id parent_id path notes",
	}
	run := func(ctx context.Context, g handedOver) (api.PacketReceipt, error) {
		d, err := g.draft()
		if err != nil {
			return api.PacketReceipt{}, err
		}
		d.Session = sessionOf(ctx, session)
		return p.Write(ctx, d)
	}
	return bind(s, packetParams, run, packetText)
}

// handedOver is what a call knows about unfinished work. Lists of objects are checked with the packet.
type handedOver struct {
	goal, nextStep, parent                 string
	criteria, constraints, questions, tags []string
	decisions, methods, attempts, checks   json.RawMessage
}

func packetParams(g *handedOver) []param {
	return []param{
		{name: "goal", required: true, kind: text(&g.goal), about: "lasting aim"},
		{name: "next_step", required: true, kind: text(&g.nextStep), about: "what to do first"},
		{name: "success_criteria", kind: sentences(&g.criteria), about: "what shows that it is done"},
		{name: "constraints", kind: sentences(&g.constraints), about: "limits"},
		{name: "decisions", kind: objects(&g.decisions), about: "{what, why, consequences?, locked?: true if settled}"},
		{name: "methods", kind: objects(&g.methods), about: "{name: a-z 0-9 -, when_applicable, how}"},
		{name: "attempts", kind: objects(&g.attempts),
			about: "{tried, outcome: succeeded|failed|partial, learned?, confidence?: low|medium|high}"},
		{name: "open_questions", kind: sentences(&g.questions), about: "texts"},
		{name: "tags", kind: texts(&g.tags), about: "a-z 0-9 -"},
		{name: "parent_id", kind: text(&g.parent), about: "packet that it continues"},
		{name: "checks", kind: objects(&g.checks), about: "{command, passed: true|false} run in this session"},
	}
}

// objects is a list of objects, as JSON. A list in a text is read too.
func objects(to *json.RawMessage) kind {
	return kind{`"type":"array","items":{"type":"object"}`, func(given json.RawMessage) error {
		list := given
		if one := ""; json.Unmarshal(given, &one) == nil {
			list = json.RawMessage(one)
		}
		var items []json.RawMessage
		if json.Unmarshal(list, &items) != nil {
			return takes("a list of objects", given)
		}
		*to = list
		return nil
	}}
}

// draft returns the packet, or an error with all its faults and their places.
func (g handedOver) draft() (d api.PacketDraft, err error) {
	fields := map[string]any{"ltm_version": packet.Version02, "id": strings.Repeat("0", 26),
		"created_at": "2000-01-01T00:00:00Z", "goal": g.goal, "next_step": g.nextStep}
	for name, list := range map[string][]string{"success_criteria": g.criteria, "constraints": g.constraints,
		"open_questions": g.questions, "tags": g.tags} {
		if len(list) > 0 {
			fields[name] = list
		}
	}
	for name, raw := range map[string]json.RawMessage{"decisions": g.decisions, "methods": g.methods,
		"attempts": g.attempts} {
		if raw != nil {
			fields[name] = raw
			if bytes.Contains(raw, []byte("null")) {
				fields[name] = withoutNulls(raw)
			}
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return d, invalid("the packet cannot be read: %v", err)
	}
	faults := checkFaults(g.checks, &d.Checks)
	p, err := packet.Parse(data)
	var all []string
	for _, fault := range append(packet.FaultsOf(err), faults...) {
		all = append(all, fault.String())
	}
	if len(all) > 0 {
		return d, memory.NewError(memory.CodeInvalid, memory.KindPacketInvalid, "", "%s", strings.Join(all, "; "))
	}
	d.Packet, d.Packet.ParentID = p, g.parent
	return d, nil
}

// checkFaults decodes the checks, and returns what is wrong with them.
func checkFaults(raw json.RawMessage, to *[]api.PacketCheck) (faults packet.Faults) {
	var list []map[string]json.RawMessage
	if raw == nil {
		return nil
	}
	if json.Unmarshal(raw, &list) != nil {
		return packet.Faults{{Path: "/checks", Kind: packet.KindType, Message: "is not a list of objects"}}
	}
	for i, fields := range list {
		var c api.PacketCheck
		at := fmt.Sprintf("/checks/%d", i)
		for name, value := range fields {
			var err error
			switch name {
			case "command":
				err = text(&c.Command).set(value)
			case "passed":
				err = flag(&c.Passed).set(value)
			default:
				err = errors.New("is unknown; allowed: command, passed")
			}
			if err != nil {
				faults = append(faults,
					packet.Fault{Path: at + "/" + name, Kind: packet.KindType, Message: err.Error()})
			}
		}
		if fields["passed"] == nil || strings.TrimSpace(c.Command) == "" {
			faults = append(faults, packet.Fault{Path: at, Kind: packet.KindMissing,
				Message: "needs a command and whether it passed"})
		}
		*to = append(*to, c)
	}
	return faults
}

// withoutNulls leaves out the null members of the objects in a list: models send them for what they omit.
func withoutNulls(raw json.RawMessage) any {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		return raw
	}
	for _, item := range list {
		if fields, ok := item.(map[string]any); ok {
			for name, value := range fields {
				if value == nil {
					delete(fields, name)
				}
			}
		}
	}
	return list
}

func packetText(r api.PacketReceipt) string {
	lines := []string{r.Message.String()}
	for _, n := range r.Notes {
		lines = append(lines, n.String())
	}
	return advice.Join(lines...)
}
