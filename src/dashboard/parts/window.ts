/** Events of the window, for as long as something is shown. */
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
