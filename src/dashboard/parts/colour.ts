/** Colours of the theme, for what is drawn and not styled. */

/** A colour of the theme: drawings know no custom properties. */
export function colourOf(property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
