/** What the browser loads of the dashboard: it must stay small (docs/dashboard.md). */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DASHBOARD } from '../../scripts/assets/dashboard.ts';

/** Bytes, compressed. */
const MOST = 200_000;
/** The page, its frame, and what every page shares. */
const MOST_AT_FIRST = 60_000;

/** A word of the editor's own, which no other part has. */
const EDITOR = 'cm-activeLineGutter';

test('all of the dashboard but its editor has at most 200 KB, compressed', async () => {
  const files = [...(await DASHBOARD.make())];
  const sizes = files.map(([name, content]) => {
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    return { name, bytes: gzipSync(text).length, isEditor: text.includes(EDITOR) };
  });
  const sum = (of: typeof sizes) => of.reduce((all, { bytes }) => all + bytes, 0);
  expect(sizes.filter(({ isEditor }) => isEditor)).not.toEqual([]);
  expect(sum(sizes.filter(({ isEditor }) => !isEditor))).toBeLessThanOrEqual(MOST);
  const first = sizes.filter(({ name }) => /^dashboard\.(js|css|html)$/.test(name));
  expect(first).toHaveLength(3);
  expect(sum(first)).toBeLessThanOrEqual(MOST_AT_FIRST);
});
