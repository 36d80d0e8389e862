/** What is wrong with the lines of a file. */
import type { LineFault } from './json.ts';
import { countText } from '../words.tsx';

/** How many are shown. */
const SHOWN = 50;

interface LineFaultsProps {
  readonly faults: readonly LineFault[];
  /** What is numbered. */
  readonly unit?: 'Line' | 'Item';
}

export function LineFaults({ faults, unit = 'Line' }: LineFaultsProps) {
  return (
    <>
      <ul class="stack bad wrap" aria-label="Lines with faults">
        {faults.slice(0, SHOWN).map(({ line, reason }) => (
          <li key={line}>
            {unit} {line}: {reason}
          </li>
        ))}
      </ul>
      {faults.length > SHOWN && <p class="hint">And {countText(faults.length - SHOWN)} more.</p>}
    </>
  );
}
