/** The attributes of a person in one line: whatever a client has stored, as text. */
import type { Resource } from '../../../client/transport.ts';

/** What is told elsewhere, or nobody's to read. */
const PASSED_OVER: ReadonlySet<string> = new Set(['username', 'password', 'name']);
/** Characters of a value. */
const LONGEST = 60;

export function summaryOf({ attributes = {} }: Resource) {
  const others = Object.entries(attributes).filter(([name]) => !PASSED_OVER.has(name));
  const name = 'username' in attributes ? attributes['name'] : undefined;
  const told = name === undefined ? others : [['name', name] as const, ...others];
  return (
    <span class="summary">
      {told.map(([each, value]) => (
        <span key={each}>
          <span class="soft">{each}</span> {shortened(value)}
        </span>
      ))}
    </span>
  );
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
