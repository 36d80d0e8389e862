/**
 * Sets of code points by properties of Unicode for which the engine has no tables: the runtime is asked, once for each.
 */
import { Lru } from '../../../domain/caching/lru.ts';
import type { Range } from '../syntax/ranges.ts';
import { recall } from '../../../domain/caching/recall.ts';

/** Enough for every name, so that no client can cause the same work twice. */
const known = new Lru<string, readonly Range[] | 'unknown'>(512);

/**
 * The code points that a class of JavaScript's holds, `\p{scx=Grek}` say; undefined when the runtime does not know
 * what is named in it. Classes are written by this folder alone, never by a client.
 */
export function unicodeRanges(members: string): readonly Range[] | undefined {
  const found = recall(known, members, () => findRanges(members) ?? 'unknown');
  return found === 'unknown' ? undefined : found;
}

/** Code points in a row. One represents all those that no property distinguishes. */
interface Block {
  readonly range: Range;
  readonly alike: boolean;
}

const BLOCKS: readonly Block[] = [
  { range: [0, 0xd7ff], alike: false },
  // Surrogates.
  { range: [0xd800, 0xdfff], alike: true },
  { range: [0xe000, 0xffff], alike: false },
  { range: [0x10000, 0x3ffff], alike: false },
  // Nothing is assigned here.
  { range: [0x40000, 0xdffff], alike: true },
  { range: [0xe0000, 0xe0fff], alike: false },
  { range: [0xe1000, 0xeffff], alike: true },
  // Private use.
  { range: [0xf0000, 0xffffd], alike: true },
  { range: [0xffffe, 0xfffff], alike: true },
  { range: [0x100000, 0x10fffd], alike: true },
  { range: [0x10fffe, 0x10ffff], alike: true },
];

/** The characters of each block, made once: most of the work of a search would be to make them. */
let texts: readonly string[] | undefined;

function textOf({ range: [low, high], alike }: Block): string {
  const last = alike ? low : high;
  let text = '';
  for (let start = low; start <= last; start += 0x1000) {
    const length = Math.min(0x1000, last + 1 - start);
    text += String.fromCodePoint(...Array.from({ length }, (_, index) => start + index));
  }
  return text;
}

function findRanges(members: string): readonly Range[] | undefined {
  let runs: RegExp;
  try {
    runs = new RegExp(`[${members}]+`, 'gu');
  } catch {
    return undefined;
  }
  const ranges: Range[] = [];
  const add = (low: number, high: number): void => {
    const last = ranges.at(-1);
    if (last?.[1] === low - 1) ranges[ranges.length - 1] = [last[0], high];
    else ranges.push([low, high]);
  };
  texts ??= BLOCKS.map(textOf);
  for (const [index, { range, alike }] of BLOCKS.entries()) {
    const units = range[0] > 0xffff ? 2 : 1;
    for (const { 0: run, index: at } of (texts[index] ?? '').matchAll(runs)) {
      if (alike) add(...range);
      else add(range[0] + at / units, range[0] + (at + run.length) / units - 1);
    }
  }
  return ranges;
}
