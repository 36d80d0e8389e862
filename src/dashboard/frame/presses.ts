/** A press counts where it began: what comes late moves the page below a pointer that stays. */

/** Pixels by which a hand moves that does not pull. */
const STILL = 5;

let began: PointerEvent | undefined;

/** The browser gives a click to whatever holds both places, that of the press and that of its end. */
function mended(click: MouseEvent): void {
  const press = began;
  began = undefined;
  // The keyboard clicks, too.
  if (press === undefined || !click.isTrusted || click.detail === 0) return;
  const control =
    press.target instanceof Element ? press.target.closest('a, button, summary, label, input') : null;
  const isMoved = Math.hypot(click.clientX - press.clientX, click.clientY - press.clientY) > STILL;
  if (!(control instanceof HTMLElement) || isMoved) return;
  if (click.target instanceof Node && control.contains(click.target)) return;
  click.preventDefault();
  click.stopImmediatePropagation();
  control.click();
}

export function keepPresses(): void {
  addEventListener(
    'pointerdown',
    (press) => {
      began = press;
    },
    true,
  );
  addEventListener('click', mended, true);
}
