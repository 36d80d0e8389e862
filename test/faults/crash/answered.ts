/** What answers to writers may be. */
import type { Reply } from '../../support/client.ts';

export function answered({ status, text }: Reply, expected: number): void {
  if (status !== expected)
    throw new Error(`Answered ${status} in place of ${expected}: ${text.slice(0, 500)}`);
}
