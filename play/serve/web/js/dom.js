// Makes elements of HTML and SVG.

/**
 * An HTML element with attributes, listeners (onclick: f) and children. Undefined and
 * false attributes are left out, except that those of aria have the word.
 */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'boolean' && name.startsWith('aria-')) {
      element.setAttribute(name, value);
      continue;
    }
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

/** Gives an element new children. Those that are as before stay, so that a press on one counts and an open menu stays open. */
export function renew(element, children) {
  const old = [...element.children];
  children.forEach((child, i) => {
    if (!old[i]) element.append(child);
    else if (!old[i].isEqualNode(child)) old[i].replaceWith(child);
  });
  old.slice(children.length).forEach((child) => child.remove());
}

/** The element of an id. */
export function byId(id) {
  return document.getElementById(id);
}

const colours = new CSSStyleSheet();
document.adoptedStyleSheets.push(colours);

/** Gives the class seat-NAME of every seat a colour, by turn order. */
export function colourSeats(names) {
  const colour = (i) => `--seat: var(--seat-${i % 6 + 1}); --seat-ink: var(--ink-${i % 6 + 1});`;
  colours.replaceSync(names.map((name, i) => `.${CSS.escape(`seat-${name}`)} { ${colour(i)} }`).join('\n'));
}
