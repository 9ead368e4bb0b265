// The client of the static site: the same methods as in client.js, answered by the
// same service as WebAssembly in two Web Workers. One reads positions and is always
// quick; the other computes and may be busy.

import { Problem } from './client.js';

/** A worker, and the calls that wait for it. */
class Channel {
  constructor() {
    this.waiting = new Map();
    this.next = 0;
    this.worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data: { id, kind, value } }) => {
      const call = this.waiting.get(id);
      if (!call) return;
      if (kind === 'report') {
        call.report(value);
        return;
      }
      this.waiting.delete(id);
      if (kind === 'done') call.resolve(value);
      else call.reject(new Problem(value));
    };
    this.worker.onerror = (e) => {
      for (const call of this.waiting.values()) call.reject(new Problem({ error: `the solver has stopped: ${e.message}`, where: 'server' }));
      this.waiting.clear();
    };
  }

  call(method, query, signal, report = () => {}) {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, report });
      this.worker.postMessage({ id, method, query });
      signal?.addEventListener('abort', () => {
        if (!this.waiting.delete(id)) return;
        this.worker.postMessage({ id, method: 'cancel' });
        reject(new DOMException('stopped', 'AbortError'));
      });
    });
  }
}

class WasmClient {
  constructor() {
    this.reader = new Channel();
    this.solver = new Channel();
  }

  games() { return this.reader.call('games', {}); }
  game(id, rules) { return this.reader.call('game', { game: id, rules }); }
  legal(query) { return this.reader.call('legal', query); }
  position(query, signal) { return this.solver.call('position', query, signal); }
  analysis(query, report, signal) { return this.solver.call('analysis', query, signal, report).then(({ why }) => why); }
}

export function connect() {
  return new WasmClient();
}
