package app

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"runtime"
	"strconv"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/internal/cli"
	"perfectplay/play/explore"
	"perfectplay/play/serve"
	"perfectplay/play/serve/web"
)

type serveFlags struct {
	resources cli.Resources
	addr      string
	sources   family.Sources
	open      bool
}

func newServeCommand(a *family.App) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "play and explore in a browser; answer programs over HTTP",
		Long: `serve runs a server on this machine until it is interrupted, and prints its
address. It has a page where people play, look at the value of every move and
analyse positions (/), and an API for programs (/api/v1/, described by
/api/v1/openapi.yaml).

Everything is in the program: nothing is fetched from elsewhere, and it works
without a network. Unless --addr says otherwise only this machine reaches it, at
a port that is free. It answers to localhost, to its address and to the name in
--addr, and refuses requests by other names.

--mem and --threads are a budget for all clients together. With --tables the
tables of solve strong in a directory are asked first; small games are solved on
the spot.`,
		Example: `  solve serve --open
  solve serve --addr 127.0.0.1:8080 --tables tables --mem 2GiB`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(a, cmd) },
	}
	f.resources.Flags(cmd)
	cli.Before(cmd, func() error { return f.resources.Resolve(cmd, explore.MinMemory, 0) })
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", "127.0.0.1:0", "listen on `HOST:PORT`; port 0 is a free one")
	fl.BoolVar(&f.open, "open", false, "open the page in the browser")
	f.sources.Flags(cmd)
	return cmd
}

// run serves until an interrupt, the usual end of a server.
func (f *serveFlags) run(a *family.App, cmd *cobra.Command) error {
	host, port, err := net.SplitHostPort(f.addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil || host == "" {
		return cli.Usagef("--addr %q: want host:port, for instance 127.0.0.1:8080", f.addr)
	}
	defer f.resources.LimitHeap()()
	// While searches occupy every thread of Go's scheduler, a request waits for the end of a
	// time slice at each step. With two more threads the operating system can run it sooner.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(f.resources.Threads + 2))
	e, err := f.sources.Service(a, f.resources)
	if err != nil {
		return err
	}
	defer e.Close()
	logger := log.New(cmd.ErrOrStderr(), "solve: ", 0)
	s, err := serve.New(serve.Options{Explorer: e, Page: web.Files(), Version: a.Program, Host: host, Threads: f.resources.Threads, Log: logger})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return fmt.Errorf("--addr %s: %w", f.addr, err)
	}
	url := "http://" + reachable(l.Addr()) + "/"
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), url); err != nil {
		l.Close()
		return err
	}
	if f.open {
		// The browser's own messages must not go to standard output, which holds the answer.
		browser.Stdout = cmd.ErrOrStderr()
		go func() {
			if err := browser.OpenURL(url); err != nil {
				logger.Printf("--open: %v; open %s yourself", err, url)
			}
		}()
	}
	if err := s.Serve(cmd.Context(), l); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// reachable returns an address that works on this machine.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return a.String()
}
