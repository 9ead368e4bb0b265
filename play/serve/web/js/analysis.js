// The analysis of the position on the page: a search that goes deeper until it is stopped, and
// where nothing is proved the estimates of the strongest player.

import { drawFigures } from './panels.js';
import { spec } from './record.js';

/** The time for the estimates of a position, in seconds. */
const LOOK = 2;

export class Analysis {
  constructor(page) {
    this.page = page;
    this.under = null; // stops the search under way
    this.why = '';     // why the last one ended
  }

  draw() {
    drawFigures(this.page, { analysing: this.under, why: this.why });
  }

  async start() {
    const { page } = this;
    if (page.hidden || this.under || page.answer.final || page.over) return;
    const stop = this.under = new AbortController();
    const { turn } = page;
    this.why = '';
    this.draw();
    try {
      const why = await page.client.analysis(spec(page.record), (answer) => {
        if (turn !== page.turn || this.under !== stop) return;
        answer.asked = true;
        page.take(answer);
      }, stop.signal);
      if (this.under === stop) this.why = why;
    } catch (e) {
      if (e.name !== 'AbortError') page.view.fault(e.message);
    }
    if (this.under === stop) this.under = null;
    this.draw();
  }

  stop() {
    if (!this.under) return;
    this.under.abort();
    this.under = null;
    this.why = 'stopped';
    this.draw();
  }

  /** Asks for estimates of a position that is not solved, if values are shown. */
  async look() {
    const { page } = this;
    const { answer, turn } = page;
    if (page.hidden || !page.hints || page.over || answer.final || answer.looked || page.solvable || page.toMove() !== 'person') return;
    const key = page.key();
    answer.looked = true;
    try {
      await page.client.outlook({ ...spec(page.record), seconds: LOOK }, (outlook) => {
        const kept = page.answers.get(key);
        if (kept) kept.outlook = outlook;
        if (turn !== page.turn || !kept) return;
        page.answer = kept;
        page.view.draw();
      }, page.asking.signal);
    } catch (e) {
      const kept = page.answers.get(key);
      if (kept) kept.looked = false;
      if (e.name !== 'AbortError' && turn === page.turn) page.view.fault(e.message);
    }
  }
}
