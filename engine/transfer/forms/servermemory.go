package forms

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"ltm/engine/transfer"
	"ltm/memory"
)

// ServerMemory is the file of the MCP server @modelcontextprotocol/server-memory, memory.jsonl
// (memory.json before): a line for each entity and each relation of its knowledge graph.
//
//	{"type":"entity","name":"…","entityType":"…","observations":["…"]}
//	{"type":"relation","from":"…","to":"…","relationType":"…"}
//
// The form has no version. An entity becomes a memory: its type is a tag, its observations and the
// relations that begin at it are the content.
type ServerMemory struct{}

type graphEntity struct {
	Name         *string   `json:"name"`
	EntityType   *string   `json:"entityType"`
	Observations *[]string `json:"observations"`
}

type graphRelation struct {
	From         *string `json:"from"`
	To           *string `json:"to"`
	RelationType *string `json:"relationType"`
}

// Name implements [transfer.Form].
func (ServerMemory) Name() string { return "server-memory" }

// Recognize implements [transfer.Form].
func (ServerMemory) Recognize(s transfer.Source) bool {
	line := firstLine(s.Document())
	var v struct{ Type string }
	if len(line) > transfer.MaxFileBytes || json.Unmarshal(line, &v) != nil {
		return false
	}
	return v.Type == "entity" || v.Type == "relation"
}

// firstLine returns the first line with text.
func firstLine(data []byte) []byte {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), " \t\r\n")
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return line
}

// graph is what the file says.
type graph struct {
	items []transfer.Item
	index map[string]int // by the entity's name
	lines []graphLine
}

type graphLine struct {
	from, to, kind string
	number         int
}

// Read implements [transfer.Form].
func (f ServerMemory) Read(s transfer.Source, _ transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: "server-memory"}
	if s.Dir || len(s.Files) != 1 {
		return r, transfer.Malformed(s.Name, "%s is a directory; the form %s is one file", quoted(s.Name), f.Name())
	}
	g := graph{index: map[string]int{}}
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(s.Files[0].Data, []byte(byteOrderMark))) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if err := g.add(line, number); err != nil {
			return r, transfer.Malformed(s.Name, "line %d of %s: %v", number, quoted(s.Name), err)
		}
	}
	for i := range g.items {
		g.items[i].Memory.CreatedAt = s.Files[0].Modified
	}
	g.relate()
	r.Items = g.items
	return r, nil
}

// add reads a line.
func (g *graph) add(line []byte, number int) error {
	if !utf8.Valid(line) {
		return errors.New("it is not UTF-8 text")
	}
	var kind struct{ Type *string }
	if err := json.Unmarshal(line, &kind); err != nil {
		return errors.New("it is not a JSON object: " + err.Error())
	}
	switch {
	case kind.Type == nil:
		return errors.New(`it has no "type"`)
	case *kind.Type == "entity":
		return g.addEntity(line, number)
	case *kind.Type == "relation":
		var v graphRelation
		if err := json.Unmarshal(line, &v); err != nil {
			return errors.New("it is not a relation: " + err.Error())
		}
		if v.From == nil || v.To == nil || v.RelationType == nil {
			return errors.New(`a relation has "from", "to" and "relationType"`)
		}
		g.lines = append(g.lines, graphLine{*v.From, *v.To, *v.RelationType, number})
		return nil
	}
	return errors.New("its type is " + quoted(*kind.Type) + "; allowed: entity, relation")
}

func (g *graph) addEntity(line []byte, number int) error {
	var v graphEntity
	if err := json.Unmarshal(line, &v); err != nil {
		return errors.New("it is not an entity: " + err.Error())
	}
	if v.Name == nil || v.EntityType == nil || v.Observations == nil {
		return errors.New(`an entity has "name", "entityType" and "observations"`)
	}
	if strings.TrimSpace(*v.Name) == "" {
		return errors.New("the entity has an empty name")
	}
	item := transfer.Item{Entry: "line " + strconv.Itoa(number) + " " + quoted(*v.Name), Key: *v.Name}
	item.Memory.Topic = memory.ClipTopic(*v.Name)
	item.Memory.Tags, item.Remarks = tagsOf(*v.EntityType)
	var content strings.Builder
	for _, observation := range *v.Observations {
		content.WriteString(point(observation))
	}
	if content.Len() == 0 {
		content.WriteString(strings.TrimSpace(*v.Name + ": " + *v.EntityType))
	}
	item.Memory.Content = strings.TrimRight(content.String(), "\n")
	if _, known := g.index[*v.Name]; known {
		item.Err = transfer.Malformed(item.Entry, "it is the second entity of that name")
	} else {
		g.index[*v.Name] = len(g.items)
	}
	g.items = append(g.items, item)
	return nil
}

// point is a text as a list item of markdown.
func point(text string) string {
	text = memory.TrimBlank(memory.UnixLines(text))
	if text == "" {
		return ""
	}
	return "- " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// relate adds the relations to the entities that they begin at.
func (g *graph) relate() {
	words := map[int]*strings.Builder{}
	linked := map[[2]int]bool{}
	for _, line := range g.lines {
		from, known := g.index[line.from]
		if !known {
			continue
		}
		if words[from] == nil {
			words[from] = &strings.Builder{}
		}
		words[from].WriteString(point(line.kind + " " + line.to))
		to, known := g.index[line.to]
		if known && to != from && !linked[[2]int{from, to}] {
			linked[[2]int{from, to}] = true
			g.items[from].Related = append(g.items[from].Related, line.to)
		}
	}
	for i, text := range words {
		item := &g.items[i]
		item.Memory.Content = item.Memory.Content + "\n\nRelations:\n" + strings.TrimRight(text.String(), "\n")
		var remarks []memory.Remark
		item.Related, remarks = bounded(item.Related)
		item.Remarks = append(item.Remarks, remarks...)
	}
}
