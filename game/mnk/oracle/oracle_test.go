package oracle

import (
	"testing"

	"perfectplay/game/gametest"
)

func TestWing(t *testing.T) { gametest.Wing(t, Wing()) }
