/** Breakages that tests are to notice: each still has its place in the code, and runs, and its tests are there. */
import { existsSync, readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from '../mutants/mutant.ts';

describe.each([...MUTANTS])('%s', (_, mutants) => {
  test.each(mutants)('$breaks', async ({ file, find, put, tests }) => {
    const source = readFileSync(file, 'utf8');
    expect(source.split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
    await transform(
      source.replace(find, () => put),
      { loader: 'ts' },
    );
    expect(tests.filter((name) => !existsSync(`test/${name}.test.ts`))).toEqual([]);
  });
});
