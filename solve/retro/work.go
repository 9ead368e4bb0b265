package retro

import "perfectplay/game"

type work struct{}

func openWork(g game.Game, s source, o Options) (*work, error) { return nil, nil }
func (w *work) load(i int, r *run) (bool, error)               { return false, nil }
func (w *work) save(i int, r *run, final bool) error           { return nil }
