// The choice of game, board and rules. The settings come from the families.

import { html } from './dom.js';

/** The game of a family whose settings are nearest to the wanted ones; earlier settings count more. */
function nearest(family, wanted, upTo) {
  let best = -1, most = -1;
  family.values.forEach((values, i) => {
    if (values[upTo] !== wanted[upTo]) return;
    const fits = values.reduce((n, v, j) => 2 * n + (v === wanted[j]), 0);
    if (fits > most) [best, most] = [i, fits];
  });
  return family.games[best];
}

/** The possible values of a setting, given the settings before it. */
function options(family, values, at) {
  const fitting = family.values.filter((v) => v.slice(0, at).every((x, i) => x === values[i])).map((v) => v[at]);
  const all = [...new Set([...fitting, values[at]])];
  return all.every((v) => /^\d/.test(v)) ? all.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) : all;
}

/**
 * Fills a form with the choice. families are those of client.games(); the page shows
 * game (an answer of client.game()) and plays record; onChoose({game, rules, position})
 * is called with what is to be played instead.
 */
export function drawChoice(form, families, game, record, onChoose) {
  const focused = form.contains(document.activeElement) ? document.activeElement.name : null;
  const select = (name, label, list, value, onchange) => html('label', {}, label,
    html('select', { name, onchange: (e) => onchange(e.target.value) },
      list.map(([v, text, about]) => html('option', { value: v, selected: v === value, title: about }, text))));
  const play = (id, rules = game.rules) => onChoose({ game: id, rules, position: 'start' });
  const family = families.find((f) => f.name === game.family);
  const parts = [];
  if (families.length > 1) {
    parts.push(select('family', 'Game', families.map((f) => [f.name, f.title, f.about]), family.name, (name) => {
      const { first, first_rules: rules = '' } = families.find((f) => f.name === name);
      play(first, rules);
    }));
  } else {
    parts.push(html('strong', { title: family.about }, family.title));
  }
  const values = game.values ?? [];
  (family.settings ?? []).forEach(({ name, title, least, most }, i) => {
    const change = (v) => {
      const wanted = values.with(i, v);
      play(family.template ? family.settings.reduce((id, s, j) => id.replace(`{${s.name}}`, wanted[j]), family.template) : nearest(family, wanted, i));
    };
    if (most) {
      parts.push(html('label', {}, title, html('input', {
        name, type: 'number', min: least ?? 0, max: most, value: values[i], onchange: (e) => e.target.checkValidity() && e.target.value && change(String(+e.target.value)),
      })));
    } else {
      const list = options(family, values, i);
      if (list.length > 1) parts.push(select(name, title, list.map((v) => [v, v]), values[i], change));
    }
  });
  if (!family.settings && new Set([...family.games, game.game]).size > 1) {
    parts.push(select('id', 'Board', [...new Set([...family.games, game.game])].map((id) => [id, id]), game.game, (id) => play(id)));
  }
  if (game.hidden) {
    const deal = (hidden) => {
      const [number] = crypto.getRandomValues(new Uint32Array(1));
      onChoose(hidden ? { game: game.game, rules: game.rules, hidden: { seat: game.board.seats[0].name, player: game.hidden.at(-1).name, ...record.hidden, deal: number } }
        : { game: game.game, rules: game.rules, position: `deal-${number}` });
    };
    parts.push(select('hands', 'Hands', [['open', 'open'], ['hidden', 'hidden']], record.hidden ? 'hidden' : 'open', (hands) => (hands === 'hidden' ? deal(true) : play(game.game))),
      html('label', {}, 'Deal', html('button', { type: 'button', id: 'deal', onclick: () => deal(record.hidden) }, 'Another deal')));
  }
  const sets = game.rule_sets ?? [];
  if (sets.length > 1) {
    const known = sets.some((r) => r.name === game.rules) ? [] : [[game.rules, game.rules, game.about]];
    parts.push(select('rules', 'Rules', [...known, ...sets.map((r) => [r.name, r.name, r.about])], game.rules, (rules) => play(game.game, rules)));
  }
  // On narrow screens all but the first are behind a button with their values.
  const [, ...rest] = parts;
  if (rest.length > 0) {
    const fields = rest.map((label) => [label.querySelector('select, input')?.value, label.firstChild.textContent]).filter(([value]) => value);
    parts.splice(1, 0, html('button', {
      type: 'button', id: 'choose-more', title: fields.map(([value, name]) => `${name}: ${value}`).join(', '), 'aria-expanded': form.classList.contains('open'), onclick: (e) => e.target.setAttribute('aria-expanded', form.classList.toggle('open')),
    }, fields.map(([value, name]) => (/^\d+$/.test(value) || fields.length === 1 ? `${value} ${name.toLowerCase()}` : value).replaceAll(' ', '\u00a0')).join(' · ') || 'more'));
  }
  form.replaceChildren(...parts);
  form.onsubmit = (e) => e.preventDefault();
  if (focused) form.elements[focused]?.focus();
}
