// The client of the HTTP API of the page's own origin. The static site has another with the
// same methods (wasm.js); backend.js chooses one.
//
// A query is {game, rules, position, moves, limit, seconds}, an answer an Answer of
// openapi.yaml. Methods return promises, which fail with a Problem if the query is not
// understood. A signal stops long work.
//
//   games()                          all games by family
//   game(id, rules)                  one game: rules, first position, board
//   legal(query)                     a position with its moves, at once, without values
//   position(query, signal)          with values, from the best source or a bounded search
//   move(query, signal)              {move, note}: the computer's at query.level
//   setup({game, rules, seat, picture})  {position}: the text of a position set up by hand
//   report(query, signal)            the moves of a game compared with perfect play
//   outlook(query, report, signal)   estimates of an open position: report(outlook), ever deeper
//   hidden(query, signal)            the view of query.seat of a deal, and the reply of query.player
//   analysis(query, report, signal)  deeper and deeper: report(answer) for each step;
//                                    resolves to the reason why it ended

/** The fault of a query: message is a sentence, where names the wrong part, index is the number of a wrong move or null. */
export class Problem extends Error {
  constructor({ error, where = '', given = '', index = null }) {
    super(error);
    this.where = where;
    this.given = given;
    this.index = index;
  }
}

/** A client of the HTTP API below a base address. */
export class APIClient {
  constructor(base) {
    this.base = base;
  }

  games() {
    return this.get('/games');
  }

  game(id, rules) {
    return this.get(`/games/${encodeURIComponent(id)}`, { rules });
  }

  legal(query) {
    return this.ask('legal', query);
  }

  position(query, signal) {
    return this.ask('position', query, signal);
  }

  move(query, signal) {
    return this.ask('move', query, signal);
  }

  setup({ game, rules, seat, picture: { pieces, hands, ends } }) {
    return this.get(`/games/${encodeURIComponent(game)}/setup`, {
      rules, seat, pieces: pieces?.map((s) => (s < 0 ? '' : s)).join(','), hands: hands?.map((h) => h.join(',')).join('_'), ends: ends?.join(','),
    });
  }

  report(query, signal) {
    return this.ask('report', query, signal);
  }

  hidden({ game, deal, seat, player, moves }, signal) {
    return this.get(`/games/${encodeURIComponent(game)}/hidden`, { deal: String(deal), seat, player, moves: moves.join(',') }, signal);
  }

  ask(what, { game, rules, position, moves, limit, seconds, level }, signal) {
    return this.get(`/games/${encodeURIComponent(game)}/${what}`, { rules, position, moves: moves?.join(','), limit, seconds, level }, signal);
  }

  async get(path, parameters = {}, signal) {
    return (await this.fetch(path, parameters, signal)).json();
  }

  async fetch(path, parameters, signal) {
    const given = Object.entries(parameters).filter(([, value]) => value);
    const address = this.base + path + (given.length ? '?' + new URLSearchParams(given) : '');
    let response;
    try {
      response = await fetch(address, { signal });
    } catch (e) {
      if (e.name === 'AbortError') throw e;
      throw new Problem({ error: 'the server does not answer; is solve serve still running?', where: 'server' });
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({ error: `the server answers ${response.status}`, where: 'server' }));
    throw new Problem(problem);
  }

  analysis(query, report, signal) {
    return this.stream('analysis', query, report, signal);
  }

  outlook(query, report, signal) {
    return this.stream('outlook', query, report, signal);
  }

  async stream(what, { game, rules, position, moves, limit, seconds }, report, signal) {
    const response = await this.fetch(`/games/${encodeURIComponent(game)}/${what}`, { rules, position, moves: moves?.join(','), limit, seconds }, signal);
    let why = '';
    for await (const { event, data } of events(response.body)) {
      if (event === 'answer' || event === 'outlook') report(JSON.parse(data));
      else if (event === 'problem') throw new Problem(JSON.parse(data));
      else if (event === 'end') why = JSON.parse(data).why;
    }
    return why;
  }
}

/** The server-sent events of a stream of bytes. */
async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).split(/\r?\n\r?\n/);
    text = blocks.pop();
    for (const block of blocks) {
      let event = 'message';
      const data = [];
      for (const line of block.split(/\r?\n/)) {
        const [, field, rest] = /^(\w*):? ?(.*)$/.exec(line) ?? [];
        if (field === 'event') event = rest;
        else if (field === 'data') data.push(rest);
      }
      if (data.length) yield { event, data: data.join('\n') };
    }
  }
}
