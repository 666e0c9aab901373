package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine/transfer/sources"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/packet"
	"ltm/packet/redact"
	"ltm/text/safe"
)

// readPacketFile returns the bytes of a file or of standard input, at most as many as a packet may
// have wherever it comes from.
func (a *app) readPacketFile(name string) ([]byte, error) {
	const most = packet.MaxStoredBytes
	var data []byte
	var err error
	if name == fromInput {
		a.sayReading("a packet")
		data, err = a.untilEnded(func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.stdin, most+1)) })
		name = "standard input"
	} else {
		path := name
		name = memory.Quote(path, 200)
		data, err = a.untilEnded(func() ([]byte, error) { return readNamed(path, most) }) // it may be a pipe
	}
	switch {
	case errors.Is(err, errInterrupted):
		return nil, err
	case err != nil:
		return nil, unusable("give the name of a file, or - for standard input", "cannot read "+name, err)
	case len(data) > most:
		return nil, invalid(fmt.Sprintf("a packet has at most %d bytes", packet.MaxBytes), "%s has more than %d bytes",
			name, most)
	}
	return data, nil
}

// readNamed reads a file or a pipe.
func readNamed(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // each system has its own words
		return nil, errors.New("no such file or directory")
	case err != nil:
		return nil, errors.Unwrap(err)
	case !info.Mode().IsRegular() && info.Mode().Type()&os.ModeNamedPipe == 0:
		return nil, errors.New("it is not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// packetFault is a fault of a packet, for programs.
type packetFault struct {
	Path    string `json:"path"` // a JSON pointer; empty: the whole packet
	Kind    string `json:"kind"`
	Message string `json:"message"`

	leaks bool // a credential or a path of this machine
}

// packetFaults returns everything that is wrong with a packet that was read, or could not be: faults
// of its form, credentials and local paths. Credentials are masked.
func packetFaults(p *packet.Packet, err error) []packetFault {
	faults := each(packet.FaultsOf(err), func(f packet.Fault) packetFault {
		return packetFault{Path: f.Path, Kind: string(f.Kind), Message: f.Message}
	})
	if err == nil {
		for _, f := range redact.Check(p) {
			faults = append(faults, packetFault{Path: f.Path, Kind: string(f.Label),
				Message: "has " + f.Kind + ": " + f.Match, leaks: true})
		}
	}
	return faults
}

// draftFaults returns everything that is wrong with a packet that is to be written. Its id, time and
// version are made later, and the packet that it continues may be named by the beginning of an id.
func draftFaults(p packet.Packet) []packetFault {
	p.ID, p.ParentID, p.CreatedAt = "0000000000", "", packet.FormatTime(time.Time{})
	p.Version = p.Lowest()
	faults := packetFaults(&p, p.Check())
	if packet.FaultsOf(p.Check()) != nil {
		faults = append(faults, packetFaults(&p, nil)...)
	}
	return faults
}

// faultsError is the error that lists everything that is wrong with a packet. where names a place
// for people; nil: as a JSON pointer.
func faultsError(what string, faults []packetFault, where func(path string) string) error {
	lines := each(faults, func(f packetFault) string { return faultLine(f, where) })
	code, kind := memory.CodeInvalid, memory.KindPacketInvalid
	switch is := func(secret bool) bool {
		return !slices.ContainsFunc(faults, func(f packetFault) bool {
			return !f.leaks || secret && f.Kind == string(redact.AbsPath)
		})
	}; {
	case is(true):
		code, kind = memory.CodeSecret, memory.KindPacketSecret
	case is(false):
		kind = memory.KindPacketPath
	}
	return memory.NewError(code, kind, "", "%s has %s\n  %s", what, plural.Of(len(faults), "fault", "faults"),
		strings.Join(lines, "\n  "))
}

func faultLine(f packetFault, where func(path string) string) string {
	place := f.Path
	if where != nil {
		place = where(f.Path)
	}
	if place == "" {
		return cell(f.Message)
	}
	return cell(place + ": " + f.Message)
}

// validated is the verdict on a document.
type validated struct {
	Valid   bool          `json:"valid"`
	Bytes   int           `json:"bytes"`
	Version string        `json:"version,omitempty"`
	ID      string        `json:"id,omitempty"`
	Faults  []packetFault `json:"faults"`
}

func (a *app) packetValidateCommand() *cobra.Command {
	c := &cobra.Command{Use: "validate FILE | -", Args: arguments(1, aPacketFile)}
	c.RunE = func(_ *cobra.Command, given []string) error {
		data, err := a.readPacketFile(given[0])
		if err != nil {
			return err
		}
		p, err := packet.ParseStored(data)
		v := validated{Bytes: len(data), Version: p.Version, ID: p.ID, Faults: packetFaults(&p, err)}
		v.Valid = len(v.Faults) == 0
		if err := answer(a, v, nil, a.printVerdict); err != nil {
			return err
		}
		if !v.Valid {
			return errInvalidQuiet
		}
		return nil
	}
	return c
}

// fixedPacket is a packet that was nearly one, and what became of it.
type fixedPacket struct {
	Packet  json.RawMessage `json:"packet"`
	Repairs []packet.Repair `json:"repairs"`
}

func (a *app) packetFixCommand() *cobra.Command {
	var output string
	var force bool
	c := &cobra.Command{Use: "fix FILE | -", Args: arguments(1, aPacketFile)}
	c.Flags().StringVarP(&output, "output", "o", "", "write the packet to this `FILE` instead of standard output")
	c.Flags().BoolVar(&force, "force", false, "replace the file of --output if it exists")
	c.RunE = func(_ *cobra.Command, given []string) error {
		data, err := a.readPacketFile(given[0])
		if err != nil {
			return err
		}
		p, repairs, err := packet.Fix(data, packet.NewIDs(time.Now, rand.Reader))
		if faults := packetFaults(&p, err); len(faults) > 0 {
			return faultsError(cell(given[0]), faults, nil)
		}
		if err != nil {
			return err
		}
		fixed := fixedPacket{Repairs: append([]packet.Repair{}, repairs...)}
		if fixed.Packet, err = p.Canonical(); err != nil {
			return err
		}
		if output == fromInput { // as "ltm export -"
			output = ""
		}
		if output != "" {
			existing := sources.Keep
			if force {
				existing = sources.Overwrite
			}
			if err := sources.Write(output, append(bytes.Clone(fixed.Packet), '\n'), existing); err != nil {
				return err
			}
		}
		return answer(a, fixed, nil, func(fixed fixedPacket) error { return a.printFixed(fixed, output) })
	}
	return c
}

// printFixed prints the packet if it went to no file, and on standard error what was changed.
func (a *app) printFixed(fixed fixedPacket, output string) error {
	for _, r := range fixed.Repairs {
		fmt.Fprintln(a.stderr, faultLine(packetFault{Path: r.Path, Message: r.Message}, nil))
	}
	if len(fixed.Repairs) == 0 {
		fmt.Fprintln(a.stderr, "nothing to fix")
	}
	if output != "" {
		return a.println("wrote " + cell(output))
	}
	text := []byte(fixed.Packet)
	if terminal.Is(a.stdout) {
		text = safe.JSON(text)
	}
	_, err := a.stdout.Write(append(bytes.Clone(text), '\n'))
	return err
}

func (a *app) packetSchemaCommand() *cobra.Command {
	return &cobra.Command{Use: "schema", Args: noArguments(), RunE: func(*cobra.Command, []string) error {
		schema, err := packet.Schema()
		if err != nil {
			return err
		}
		return a.println(string(schema))
	}}
}

// errInvalidQuiet ends the program like [errQuiet], with the status for invalid input.
var errInvalidQuiet = fmt.Errorf("%w%w", errQuiet, &memory.Error{Code: memory.CodeInvalid,
	Kind: memory.KindPacketInvalid})

func (a *app) printVerdict(v validated) error {
	if v.Valid {
		return a.println(fmt.Sprintf("valid: version %s, %d bytes, id %s", v.Version, v.Bytes, cell(v.ID)))
	}
	for _, f := range v.Faults {
		if err := a.println(faultLine(f, nil)); err != nil {
			return err
		}
	}
	return nil
}
