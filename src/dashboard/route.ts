/**
 * Where the dashboard is: the part of the address behind `#`, which no server ever sees. A route is a path and a query,
 * as `#/documents/movies?sort=-year`.
 */
import { computed, signal } from '@preact/signals';
import { decodedParts } from '../domain/addresses/decoding.ts';

export interface Route {
  /** The steps of the path, decoded. */
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
}

/** What a page is given: the steps of the route behind its own. */
export interface PageProps {
  readonly steps: readonly string[];
}

const hash = signal(location.hash);

/** Asked before the dashboard goes anywhere else: `onward` goes on. */
export type Keeper = (onward: () => void) => void;
let keeper: Keeper | undefined;

/** Until the answer is called, whoever wants to leave the page must ask the keeper. */
export function keep(next: Keeper): () => void {
  keeper = next;
  return () => {
    if (keeper === next) keeper = undefined;
  };
}

/** Does what leaves the page, once its keeper lets go. */
export function leaving(onward: () => void): void {
  if (keeper === undefined) onward();
  else keeper(onward);
}

addEventListener('hashchange', () => {
  const next = location.hash;
  if (next === hash.value) return;
  if (keeper === undefined) {
    hash.value = next;
    return;
  }
  // The way back, or an address that was typed: it is taken back until the keeper lets go.
  history.replaceState(null, '', hash.value || '#/');
  leaving(() => arrive(next));
});

// A click on a link asks before the history has a step.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const { altKey, button, ctrlKey, metaKey, shiftKey } = event;
  const isPlain = button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
  const way = link?.getAttribute('href') ?? '';
  if (!isPlain || !way.startsWith('#/')) return;
  event.preventDefault();
  go(way);
});

function arrive(way: string): void {
  if (way !== hash.value) history.pushState(null, '', way || '#/');
  hash.value = location.hash;
}

export const route = computed<Route>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?', 2);
  return { steps: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
});

/** The address of a route, for links: `wayTo(['documents', 'movies'], {sort: '-year'})`. */
export function wayTo(steps: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `#/${steps.map(encodeURIComponent).join('/')}${text && `?${text}`}`;
}

/** Goes there at once, if the keeper lets go: what is typed next is for the next page. */
export function go(way: string): void {
  leaving(() => arrive(way));
}

/** Goes there without asking the keeper: what was not saved is saved, or does not matter any more. */
export function goFreely(way: string): void {
  keeper = undefined;
  go(way);
}

/** Goes there without a step in the history: for what is typed or clicked through. */
export function replaceWith(way: string): void {
  history.replaceState(null, '', way);
  hash.value = location.hash;
}

/** An address may be typed by hand: what does not decode stays as it is. */
function decoded(step: string): string {
  return decodedParts([step])?.[0] ?? step;
}
