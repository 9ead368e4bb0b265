// The worker of the static site: runs the WebAssembly program, which answers with
// perfectplay(id, method, query as JSON, reply), and passes messages on. The first
// message has the program, the others are calls.

import '../wasm_exec.js';

/** Resolves when the program runs. */
let run;
const running = new Promise((resolve) => { run = resolve; });

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
  globalThis.perfectplay(id, method, JSON.stringify(query ?? {}), (kind, json) => self.postMessage({ id, kind, value: JSON.parse(json) }));
};
