package engine

import (
	"sync"
	"testing"

	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// service is shared by all tests: it is safe for concurrent use, and keeps solutions.
var service = sync.OnceValues(func() (*explore.Service, error) {
	return explore.New(explore.Options{Wings: []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}, Memory: explore.MinMemory, Threads: 1})
})

func newService(t testing.TB) *explore.Service {
	s := must(service())(t)
	return s
}
