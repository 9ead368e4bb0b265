// The client of the static site: the methods of client.js, answered by the service as
// WebAssembly in Web Workers. One reads positions and is always quick; the other computes and
// may be busy.

import { Problem } from './client.js';

/** A worker, and the calls that wait for it. */
class Channel {
  constructor(program) {
    this.waiting = new Map();
    this.next = 0;
    this.worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    program.then((module) => this.worker.postMessage({ module }), (e) => this.fail(e));
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
    this.worker.onerror = (e) => this.fail(e);
  }

  /** Ends all calls: the program does not run. */
  fail({ message }) {
    this.failure = new Problem({ error: `the solver has stopped: ${message}`, where: 'server' });
    for (const call of this.waiting.values()) call.reject(this.failure);
    this.waiting.clear();
  }

  call(method, query, signal, report = () => {}) {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      if (this.failure) throw this.failure;
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

/** The program for both workers: compressed if the browser can unpack it and the network has not done so. */
async function program() {
  const packed = 'DecompressionStream' in self;
  const name = packed ? 'perfectplay.wasm.gz' : 'perfectplay.wasm';
  const response = await fetch(new URL(`../${name}`, import.meta.url));
  if (!response.ok) throw new Error(`${name}: the host answers ${response.status}`);
  const bytes = await response.arrayBuffer();
  const magic = new Uint8Array(bytes, 0, 2);
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) return WebAssembly.compile(bytes);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

class WasmClient {
  constructor() {
    this.module = program();
    this.reader = new Channel(this.module);
    this.solver = new Channel(this.module);
  }

  /** A third worker, for outlooks: they search without a pause. */
  get thinker() {
    this.thinking ??= new Channel(this.module);
    return this.thinking;
  }

  games() { return this.reader.call('games', {}); }
  game(id, rules) { return this.reader.call('game', { game: id, rules }); }
  legal(query) { return this.reader.call('legal', query); }
  position(query, signal) { return this.solver.call('position', query, signal); }
  move(query, signal) { return this.solver.call('move', query, signal); }
  setup(query) { return this.reader.call('setup', query); }
  report(query, signal) { return this.solver.call('report', query, signal); }
  outlook(query, report, signal) { return this.thinker.call('outlook', query, signal, report); }
  hidden(query, signal) { return this.solver.call('hidden', { ...query, deal: String(query.deal) }, signal); } // its number may be larger than JavaScript's
  analysis(query, report, signal) { return this.solver.call('analysis', query, signal, report).then(({ why }) => why); }
}

export function connect() {
  return new WasmClient();
}
