/**
 * The numbers and names of a pattern's groups, and the references to them. A reference may come before its group: it is
 * a list that is filled at the end of the pattern, or refused.
 */
import type { Cursor } from './cursor.ts';
import type { Groups } from '../tree.ts';

export class References {
  readonly #cursor: Cursor;
  readonly #names = new Map<string, number[]>();
  readonly #named = new Map<number, string>();
  readonly #pending: (() => void)[] = [];
  /** Capturing groups opened so far; branches that number their groups anew set it back. */
  opened = 0;
  /** The highest number of a group. */
  highest = 0;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** The number of a group that opens at `start`. `again`: others may have its name. */
  open(name: string | undefined, again: boolean, start: number): number {
    this.opened += 1;
    const number = this.opened;
    this.highest = Math.max(this.highest, number);
    if (name === undefined) return number;
    const known = this.#names.get(name) ?? [];
    const other = this.#named.get(number);
    if (other !== undefined && other !== name)
      this.#cursor.refuse('groups of the same number have different names', start);
    if (known.length > 0 && !again && !known.includes(number))
      this.#cursor.refuse('two groups have the same name', start);
    this.#names.set(name, known.includes(number) ? known : [...known, number]);
    this.#named.set(number, name);
    return number;
  }

  /** The group of a number as it is written: `+1` and `-1` count from here. */
  numbered(written: string, start: number): Groups {
    const count = Number(written);
    const number = written.startsWith('+')
      ? this.opened + count
      : written.startsWith('-')
        ? this.opened + 1 + count
        : count;
    return this.#later(start, `there is no group ${written}`, () =>
      number >= 1 && number <= this.highest ? [number] : [],
    );
  }

  named(name: string, start: number): Groups {
    return this.#later(start, `there is no group named ${name}`, () => this.#names.get(name) ?? []);
  }

  mayBeName(name: string): boolean {
    return new RegExp(`\\(\\?(?:P?<${name}>|'${name}')`).test(this.#cursor.text);
  }

  finish(): void {
    for (const fill of this.#pending) fill();
  }

  #later(start: number, otherwise: string, find: () => Groups): Groups {
    const groups: number[] = [];
    this.#pending.push(() => {
      groups.push(...find());
      if (groups.length === 0) this.#cursor.refuse(otherwise, start);
    });
    return groups;
  }
}
