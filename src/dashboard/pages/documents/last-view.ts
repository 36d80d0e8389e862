/** The table of each type as it was last seen in this tab: going back to it from a document keeps filter, order and columns. */
import { wayTo } from '../../route.ts';

const ways = new Map<string, string>();

export function rememberView(type: string, way: string): void {
  ways.set(type, way);
}

export function wayToTable(type: string): string {
  return ways.get(type) ?? wayTo(['documents', type]);
}
