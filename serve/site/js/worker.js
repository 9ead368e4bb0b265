// The worker of the static site: starts the WebAssembly program, which answers with
// perfectplay(id, method, query as JSON, reply), and passes messages on.

import '../wasm_exec.js';

/** The program: compressed where the browser can unpack it, unless that was done on the way. */
async function program() {
  const packed = 'DecompressionStream' in self;
  const name = packed ? 'perfectplay.wasm.gz' : 'perfectplay.wasm';
  const response = await fetch(new URL(`../${name}`, import.meta.url));
  if (!response.ok) throw new Error(`${name}: the host answers ${response.status}`);
  const bytes = await response.arrayBuffer();
  const magic = new Uint8Array(bytes, 0, 2);
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

async function start() {
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(await program(), go.importObject);
  // The program runs until the worker ends; it has set perfectplay before its
  // first wait, so before run returns a promise.
  go.run(instance).then(() => { throw new Error('the program has ended'); });
}

const started = start();

self.onmessage = async ({ data: { id, method, query } }) => {
  try {
    await started;
  } catch (e) {
    if (method !== 'cancel') self.postMessage({ id, kind: 'problem', value: { error: String(e.message ?? e), where: 'server' } });
    return;
  }
  globalThis.perfectplay(id, method, JSON.stringify(query ?? {}), (kind, json) => self.postMessage({ id, kind, value: JSON.parse(json) }));
};
