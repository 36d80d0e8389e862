/** What the browser loads of the dashboard: it must stay small (docs/dashboard.md). */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DASHBOARD } from '../../scripts/assets/dashboard.ts';

/** Bytes, compressed. */
const MOST = 212_000;
/** The page, its frame, and what every page shares. */
const MOST_AT_FIRST = 60_000;

/** Words of the editor's own, and of the reader of CSV's: only who writes JSON or imports such a file loads them. */
const APART = ['cm-activeLineGutter', 'CSV_QUOTE_NOT_CLOSED'];

test('all of the dashboard but its editor and its reader of CSV has at most 212 KB, compressed', async () => {
  const files = [...(await DASHBOARD.make())];
  const sizes = files.map(([name, content]) => {
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    return { name, bytes: gzipSync(text).length, apart: APART.find((word) => text.includes(word)) };
  });
  const sum = (of: typeof sizes) => of.reduce((all, { bytes }) => all + bytes, 0);
  expect(new Set(sizes.map(({ apart }) => apart))).toEqual(new Set([undefined, ...APART]));
  expect(sum(sizes.filter(({ apart }) => apart === undefined))).toBeLessThanOrEqual(MOST);
  const first = sizes.filter(({ name }) => /^dashboard\.(js|css|html)$/.test(name));
  expect(first).toHaveLength(3);
  expect(sum(first)).toBeLessThanOrEqual(MOST_AT_FIRST);
});
