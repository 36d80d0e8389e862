/** What is wrong with the lines of a file. */
import { countText } from './words.tsx';

export interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** How many are shown. */
const SHOWN = 50;

export function LineFaults({ faults }: { readonly faults: readonly LineFault[] }) {
  return (
    <>
      <ul class="stack bad wrap" aria-label="Lines with faults">
        {faults.slice(0, SHOWN).map(({ line, reason }) => (
          <li key={line}>
            Line {line}: {reason}
          </li>
        ))}
      </ul>
      {faults.length > SHOWN && <p class="hint">And {countText(faults.length - SHOWN)} more.</p>}
    </>
  );
}
