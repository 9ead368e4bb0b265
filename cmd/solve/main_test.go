package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the program as the command solve.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"solve": main})
}

// TestScripts runs testdata/script: what each subcommand prints and how it
// exits. See script_test.go for the commands that scripts have beyond the usual.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":       exits,
			"interrupted": interrupted,
			"same-values": sameValues,
		},
	})
}
