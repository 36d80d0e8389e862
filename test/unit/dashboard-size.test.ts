/** What the browser loads of the dashboard: it must stay small (docs/dashboard.md). */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DASHBOARD } from '../../scripts/assets/dashboard.ts';

/** Bytes, compressed. */
const MOST = 198_000;
/** The page, its frame, and what every page shares. */
const MOST_AT_FIRST = 60_000;

/**
 * Words of the editor's own, of the reader of CSV's and of the schemas' code: only who writes JSON, imports CSV or
 * opens a type with schemas loads them.
 */
const APART = ['cm-activeLineGutter', 'CSV_QUOTE_NOT_CLOSED', 'without going deeper'];

test('the dashboard but its editor, reader of CSV and checker of schemas has at most 198 KB, compressed', async () => {
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
