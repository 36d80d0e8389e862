/** `/` leads to a field, unless somebody is writing. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

export function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = event.composedPath()[0];
      const isWriting =
        at instanceof Element && at.matches('input, textarea, select, [contenteditable="true"]');
      if (isWriting || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', listen);
    };
  }, []);
}
