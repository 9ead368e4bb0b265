// Where an arrow key leads.

/**
 * The place nearest to another in a direction of the screen, or that place itself where
 * there is none. Of all places {x, y} only those are taken that among, a set of their
 * numbers, has, if it has any.
 */
export function toward(places, from, dx, dy, among = new Set()) {
  let best = from, least = Infinity;
  places.forEach((c, i) => {
    if (among.size > 0 && !among.has(i)) return;
    const along = (c.x - places[from].x) * dx + (c.y - places[from].y) * dy;
    const aside = Math.abs((c.x - places[from].x) * dy - (c.y - places[from].y) * dx);
    if (along < 1e-6 || aside > 1.8 * along) return;
    const cost = along + 1.6 * aside;
    if (cost < least - 1e-6) [best, least] = [i, cost];
  });
  return best;
}
