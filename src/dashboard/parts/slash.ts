/** `/` leads to what the page finds by, unless somebody is writing: the last that asked for it. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const takers: (() => void)[] = [];

addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.composedPath()[0];
  const isWriting = at instanceof Element && at.matches('input, textarea, select, [contenteditable="true"]');
  if (isWriting || isAsked()) return;
  event.preventDefault();
  takers.at(-1)?.();
});

/** Whether a dialog is open: nothing opens over it. */
export function isAsked(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** From the first showing on, until it is gone, `take` is called. */
export function useSlash(take: () => void): void {
  useEffect(() => {
    takers.push(take);
    return () => {
      takers.splice(takers.indexOf(take), 1);
    };
  }, []);
}

export function useSlashFor(input: RefObject<HTMLInputElement | null>): void {
  useSlash(() => input.current?.focus());
}
