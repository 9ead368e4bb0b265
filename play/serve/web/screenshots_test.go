//go:build !js

package web_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var screenshots = flag.Bool("screenshots", false, "take the screenshots of docs anew")

// docs is the directory of the screenshots.
const docs = "../../../docs"

// sixSeats is a beginning of six seats on the large star.
const sixSeats = "c1-e7,g1-g3,m3-k3,o1-m7,m11-k9,g11-g9,a1-e5,e1-i1,m1-m5,n1-j2," +
	"m13-m9,e13-i9,d1-h2,e4-e8,m4-m8,n4-j9,l11-l7,g10-g8,d3-h8,f2-f8"

// TestScreenshots takes six pictures for docs with -screenshots: 2, 3 and 6 seats, a diamond,
// large noughts and crosses, dominoes; one of them dark, one on a phone. Without the flag it
// checks that docs has them.
func TestScreenshots(t *testing.T) {
	for _, c := range []struct {
		name, link, colours string
		width, height       int64
		choose              bool // click the piece of the best move
	}{
		{"page-star37", "#game=halma-star37-2p&rules=house&players=2:perfect&moves=b1-c4,h1-g4,c4-d4,i1-g3,a1-e3,h2-f3", "light", 1280, 900, true},
		{"page-three", "#game=halma-star13-3p&rules=house&moves=a1-b2,d1-c1", "light", 1280, 900, false},
		{"page-six", "#game=halma-star121-6p&moves=" + sixSeats, "dark", 1280, 900, false},
		{"page-diamond", "#game=halma-5x5p3&rules=sturtevant&moves=b1-c1,h1-g1", "light", 1280, 900, false},
		{"page-mnk", "#game=mnk-15x15k5&moves=h8,h9,i8,g8,i9,i7,j10", "light", 390, 844, false},
		{"page-dominoes", "#game=domino&moves=4%7C4,2%7C4,2%7C6-2,4%7C6-4,5%7C6", "light", 1280, 900, false},
	} {
		file := filepath.Join(docs, c.name+".png")
		if !*screenshots {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%v: take it with -screenshots", err)
			}
			continue
		}
		start(t)
		b := open(t, world.server.URL, "", c.width, c.height)
		b.colours(c.colours)
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(world.server.URL+"/"+c.link))
		b.wait("document.body.dataset.charted")
		if c.choose {
			from, _, _ := strings.Cut(b.best(), "-")
			b.click("[data-cell=" + from + "]")
		}
		b.picture(file)
	}
}

// shown is a screen of the page.
type shown struct{ name, link, click, wait string }

// screens are all screens of the page.
func screens(t *testing.T) []shown {
	p := puzzles(t)[0]
	puzzle := fmt.Sprintf("#game=%s&rules=%s&position=%s", p.Game, p.Rules, p.Position)
	return []shown{
		{"first", "", "", "document.body.dataset.charted"},
		{"star37", "#game=halma-star37-2p&rules=house&moves=b1-c4,h1-g4", "[data-cell=c4]", "document.querySelector('.target')"},
		{"star121", "#game=halma-star121-6p&moves=" + sixSeats, "", "document.querySelector('#bar > span')"},
		{"mnk15", "#game=mnk-15x15k5&moves=h8,h9,i8,g8,i9,i7,j10", "", "document.querySelector('.threat, .ahead-spot')"},
		{"domino", "#game=domino&position=deal-7", "", "document.body.dataset.charted"},
		{"setup", "#game=halma-star37-2p&rules=house", "#setup", "document.querySelector('#setup-fault').textContent"},
		{"report", "#game=halma-star37-2p&rules=house&moves=b1-c4,h1-g4,a1-b1,i1-h1", "#report-ask", "document.querySelector('#report-players li')"},
		{"puzzle", puzzle, "", "document.querySelector('.gallery.short')"},
		{"help", "#game=halma-star37-2p", "#help-open", "document.querySelector('#help').open"},
	}
}

// show shows the screen in light or dark.
func (s shown) show(b *tab, scheme string) {
	b.t.Helper()
	b.colours(scheme)
	b.visit(s.link)
	b.wait("!document.body.dataset.busy")
	if s.click != "" {
		b.click(s.click)
	}
	b.wait(s.wait)
	b.still()
}

// still waits until nothing moves.
func (b *tab) still() {
	b.t.Helper()
	b.wait("document.getAnimations().every((a) => a.playState === 'finished')")
}

var look = flag.String("look", "", "take pictures of all screens in all widths, light and dark, into `DIR`")

// TestLook takes a picture of every screen at three widths, light and dark, for people to look
// at.
func TestLook(t *testing.T) {
	if *look == "" {
		t.Skip("takes pictures for people; with -look DIR")
	}
	start(t)
	for _, s := range screens(t) {
		for _, scheme := range []string{"light", "dark"} {
			for _, size := range [][2]int64{{1440, 900}, {768, 1024}, {390, 844}} {
				name := fmt.Sprintf("%s-%d-%s", s.name, size[0], scheme)
				t.Run(name, func(t *testing.T) {
					b := open(t, world.server.URL, "", size[0], size[1])
					s.show(b, scheme)
					b.picture(filepath.Join(*look, name+".png"))
				})
			}
		}
	}
}

// picture writes a picture of the window to a file.
func (b *tab) picture(file string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o666); err != nil {
		b.t.Fatal(err)
	}
}
