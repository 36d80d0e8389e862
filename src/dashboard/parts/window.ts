/** What is heard of the window, for as long as something is shown. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Hears from before it is seen: what happens at once counts, too. */
export function useWindow<Name extends keyof WindowEventMap>(
  name: Name,
  hear: (event: WindowEventMap[Name]) => void,
): void {
  const latest = useRef(hear);
  latest.current = hear;
  useLayoutEffect(() => {
    const control = new AbortController();
    addEventListener(name, (event) => latest.current(event), control);
    return () => control.abort();
  }, [name]);
}

/** `/` leads to the last field that asked for it, unless somebody is writing; Ctrl+K, or ⌘K, to the first one. */
const takers: (() => void)[] = [];

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
  const isShortcut = key === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
  const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting(event);
  if (defaultPrevented || (!isShortcut && !isSlash)) return;
  event.preventDefault();
  // Nothing opens over a dialog.
  if (document.querySelector('dialog[open]') === null) takers.at(isShortcut ? 0 : -1)?.();
});

function isWriting(event: Event): boolean {
  const [at] = event.composedPath();
  return at instanceof Element && at.matches('input, textarea, select, [contenteditable="true"]');
}

/** As soon as it is shown, until it is gone, `take` is called. */
export function useSlash(take: () => void): void {
  useLayoutEffect(() => {
    takers.push(take);
    return () => takers.splice(takers.indexOf(take), 1);
  }, []);
}

export function useSlashFor(input: RefObject<HTMLInputElement | null>): void {
  useSlash(() => input.current?.focus());
}
