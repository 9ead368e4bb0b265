// The worker of the static site: runs the WebAssembly program, which answers with
// perfectplay(method, query as JSON, reply), and passes messages on. The first message has
// the program, the others are calls; the method cancel ends the call of its id.

import '../wasm_exec.js';

/** Resolves when the program runs. */
let run;
const running = new Promise((resolve) => { run = resolve; });

/** The functions that end the calls under way, by id. */
const stops = new Map();

self.onmessage = async ({ data: { module, id, method, query } }) => {
  if (module) {
    const go = new globalThis.Go();
    const instance = await WebAssembly.instantiate(module, go.importObject);
    // It sets perfectplay before its first wait, and so before run returns.
    go.run(instance).then(() => { throw new Error('the program has ended'); });
    run();
    return;
  }
  await running;
  if (method === 'cancel') {
    stops.get(id)?.();
    return;
  }
  let ended = false;
  const stop = globalThis.perfectplay(method, JSON.stringify(query ?? {}), (kind, json) => {
    if (kind !== 'report') {
      ended = true;
      stops.delete(id);
    }
    self.postMessage({ id, kind, value: JSON.parse(json) });
  });
  if (!ended) stops.set(id, stop);
};
