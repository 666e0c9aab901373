package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/packet"
)

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
