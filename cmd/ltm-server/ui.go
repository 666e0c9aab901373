package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ltm/engine/locate"
	"ltm/server/page"
)

// uiOptions are the flags of the local page.
type uiOptions struct {
	dir        string
	from       string // where it was started, before dir
	port       int
	noOpen     bool
	allowHosts []string
	idle       time.Duration
	export     string
	given      []string // the flags of these that are about how the page runs
}

const (
	// firstPort and lastPort are tried in their order, so that a forwarded port often stays the same.
	firstPort = 5861
	lastPort  = 5869

	// uiGrace is how long requests that are being answered may take once the page ends.
	uiGrace = 2 * time.Second

	// idleChecks is how many times in the idle time it is looked whether it is over.
	idleChecks = 60
)

// uiUsage is the usage of the page for those who type "ltm ui". It leaves out the flags of all commands, which are
// about a database.
const uiUsage = `Usage:
  ltm ui [flags]

Examples:
{{.Example}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
`

func (a *app) uiCommand() *cobra.Command {
	o := uiOptions{}
	c := &cobra.Command{
		Use:  "ui",
		Args: arguments(0),
		// It has no database.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(c *cobra.Command, _ []string) error {
			for _, name := range []string{"port", "allow-host", "idle"} {
				if c.Flags().Changed(name) {
					o.given = append(o.given, "--"+name)
				}
			}
			return a.ui(c.Context(), o)
		},
	}
	c.SetUsageTemplate(uiUsage)
	f := c.Flags()
	f.StringVarP(&o.dir, "directory", "C", "", "the project's `DIR`, instead of the current one")
	f.IntVar(&o.port, "port", 0, "the port to listen on (default the first that is free from 5861 on)")
	f.BoolVar(&o.noOpen, "no-open", false, "open no browser")
	f.StringSliceVar(&o.allowHosts, "allow-host", nil, "also answer under this host `NAME`, such as that of a proxy")
	f.StringVar(&o.export, "export", "", "write the pages as files to `DIR`, which must be new or empty, and end")
	f.DurationVar(&o.idle, "idle", time.Hour, "end after so long without a visitor; 0 is never")
	return c
}

// ui shows the page until it ends, or the address of the one that runs.
func (a *app) ui(ctx context.Context, o uiOptions) error {
	if o.port < 0 || o.port > 65535 {
		return invalid("allowed: 0 to 65535", "--port cannot be %d", o.port)
	}
	if o.idle < 0 {
		return invalid("0 is never", "--idle cannot be %s", o.idle)
	}
	if o.export != "" {
		var err error
		if o.export, err = filepath.Abs(o.export); err != nil { // before going elsewhere
			return failed("cannot find the directory", err)
		}
	}
	if o.dir != "" {
		o.from, _ = os.Getwd()
		if err := os.Chdir(o.dir); err != nil {
			return &fault{status: exitInvalid, message: "cannot go to that directory", cause: err,
				next: "-C takes a directory"}
		}
	}
	place := locate.Store(a.uiEnv(o).Where())
	if o.export != "" {
		return a.exportPages(ctx, o, place)
	}
	if !signal.Ignored(syscall.SIGHUP) {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGHUP) // its terminal is gone
		defer stop()
	}
	if running, link := noteOf(a.uiEnv(o).CacheDir(), place.Store).find(ctx); link != "" {
		return a.showRunning(ctx, o, running, link)
	}
	if ctx.Err() != nil {
		return nil
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	listener, err := listenLocally(ctx, o.port)
	if err != nil {
		return err
	}
	site, err := page.New(a.siteOptions(o, place, end))
	if err != nil {
		return failed("cannot start the page", errors.Join(err, listener.Close()))
	}
	return a.serveSite(ctx, o, place, site, listener)
}

// listenLocally listens on loopback, and nowhere else.
func listenLocally(ctx context.Context, port int) (net.Listener, error) {
	ports := []int{port}
	if port == 0 {
		ports = nil
		for p := firstPort; p <= lastPort; p++ {
			ports = append(ports, p)
		}
		ports = append(ports, 0)
	}
	var last error
	for _, p := range ports {
		for _, host := range []string{"127.0.0.1", "::1"} {
			l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(p)))
			if err == nil {
				return l, nil
			}
			last = errors.Join(last, err)
			if errors.Is(err, syscall.EADDRINUSE) {
				break // the other host would be another page at the same port
			}
		}
	}
	return nil, &fault{status: exitFailure, message: "cannot listen on loopback", cause: last,
		next: "--port takes another port"}
}

// serveSite answers until the context ends, or there has been no visitor for long.
func (a *app) serveSite(ctx context.Context, o uiOptions, place locate.Place, site *page.Site, l net.Listener) error {
	server := &http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(slog.NewTextHandler(a.stderr, nil), slog.LevelDebug)}
	server.RegisterOnShutdown(site.EndStreams)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	address := "http://" + l.Addr().String() + "/"
	forget, err := noteOf(a.uiEnv(o).CacheDir(), place.Store).keep(
		instance{PID: os.Getpid(), Address: address, Control: site.Control()})
	defer forget()
	if err != nil {
		a.notice("another %s will not find this page, and will start one of its own: %v", again, err)
	}
	link, err := site.Link()
	if err != nil {
		return failed("cannot make a link", errors.Join(err, server.Close()))
	}
	if err := a.showLink(o, address, link); err != nil {
		return errors.Join(err, server.Close())
	}
	if !o.noOpen && a.noBrowser() == "" {
		clean, _ := a.openByFile(ctx, address+link)
		defer clean()
	}
	why := a.waitForEnd(ctx, o, site, ended)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), uiGrace)
	defer cancel()
	if server.Shutdown(closing) != nil {
		_ = server.Close() // what still runs is cut off
	}
	return why
}

// waitForEnd returns once the page is to end, or has ended with an error.
func (a *app) waitForEnd(ctx context.Context, o uiOptions, site *page.Site, ended <-chan error) error {
	var check <-chan time.Time
	if o.idle > 0 {
		ticker := time.NewTicker(max(time.Millisecond, o.idle/idleChecks))
		defer ticker.Stop()
		check = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return &fault{status: exitFailure, message: "the page ended", cause: err}
		case <-check:
			if site.Idle() >= o.idle {
				a.notice("ended: there was no visitor for %s", o.idle)
				return nil
			}
		}
	}
}

// showLink prints an address, and how to reach it from another machine.
func (a *app) showLink(o uiOptions, address, link string) error {
	return a.println(address+link, "from another machine: "+a.forward(address)+"  # then open the same address there",
		fmt.Sprintf("the address lets in one visitor, once; for a new one, run %s again", again))
}

// showRunning shows the page that runs for the project.
func (a *app) showRunning(ctx context.Context, o uiOptions, running instance, link string) error {
	a.notice("the page of this project runs already (process %d); this is a new address for it", running.PID)
	if len(o.given) > 0 {
		a.notice("it stays as it was started, without %s; to change that, end it first", strings.Join(o.given, ", "))
	}
	if err := a.showLink(o, running.Address, link); err != nil {
		return err
	}
	if !o.noOpen && a.noBrowser() == "" {
		a.openAndAwait(ctx, running.Address+link)
	}
	return nil
}
