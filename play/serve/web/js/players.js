// The levels at which the computer plays, as package player has them.

/** The levels that the page offers, weakest first. */
export const LEVELS = [
  { name: 'random', label: 'random', about: 'any legal move' },
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({ name: `level-${n}`, label: `level ${n}`, about: `level ${n} of 9` })),
  { name: 'strongest', label: 'strongest', about: 'a best move wherever it is known, else as well as this program can' },
];

/** Whether a name is that of a level: one of the list, or perfect. */
export function isLevel(name) {
  return name === 'perfect' || LEVELS.some((l) => l.name === name);
}
