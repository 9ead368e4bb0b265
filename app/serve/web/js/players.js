// The levels at which the computer plays, as package player has them.

/** The levels that the page offers, weakest first. There are more: see isLevel. */
export const LEVELS = [
  { name: 'random', label: 'random', about: 'any legal move' },
  { name: 'errs-50', label: 'errs in 50 %', about: 'any legal move half of the time, else as perfect' },
  { name: 'depth-1', label: 'sees 1 ply', about: 'wins at once where it can, else judges the position' },
  { name: 'depth-2', label: 'sees 2 plies', about: 'sees wins and losses within 2 plies, else judges the position' },
  { name: 'errs-25', label: 'errs in 25 %', about: 'any legal move in a quarter of its turns, else as perfect' },
  { name: 'depth-6', label: 'sees 6 plies', about: 'sees wins and losses within 6 plies, else judges the position' },
  { name: 'errs-10', label: 'errs in 10 %', about: 'any legal move in a tenth of its turns, else as perfect' },
  { name: 'perfect', label: 'perfect', about: 'a best move wherever it is known, else what is not known to lose' },
];

/** Whether a level of that name is known: random, perfect, depth-N and errs-P with N and P from 1 to 99. */
export function isLevel(name) {
  return /^(random|perfect|(depth|errs)-[1-9]\d?)$/.test(name);
}
