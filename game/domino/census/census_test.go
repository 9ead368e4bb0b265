package census

import (
	"testing"

	"perfectplay/game/domino"
)

func benchHands(s *shared, unit int) []domino.Set {
	var hands []domino.Set
	i := 0
	for p := firstHand(); p != 0; p, i = p.next(), i+1 {
		if i%1009 == 0 {
			hands = append(hands, p.tiles(&s.starters[unit]))
		}
	}
	return hands
}

func BenchmarkAdd(b *testing.B) {
	s := newShared()
	w := newWorker(s, &sharedHands{hands: new(Hands)})
	w.begin(500)
	hands := benchHands(s, 500)
	i := 0
	for b.Loop() {
		w.add(hands[i%len(hands)], nil)
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(w.tally.All().Games), "ns/game")
}

func BenchmarkBuild(b *testing.B) {
	s := newShared()
	w := newWorker(s, &sharedHands{hands: new(Hands)})
	hands := benchHands(s, 500)
	i := 0
	for b.Loop() {
		w.graph.Build(0, s.starters[500].tiles, hands[i%len(hands)])
		i++
	}
}

func BenchmarkCompile(b *testing.B) {
	s := newShared()
	w := newWorker(s, &sharedHands{hands: new(Hands)})
	hands := benchHands(s, 500)
	i := 0
	for b.Loop() {
		w.graph.Build(0, s.starters[500].tiles, hands[i%len(hands)])
		w.program.compile(w.graph, s.starters[500].tiles, hands[i%len(hands)])
		i++
	}
}
