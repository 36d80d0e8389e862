/** Breakages that tests are to notice: each still has its place in the code, and its tests are there. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from '../mutants/mutant.ts';

describe.each([...MUTANTS])('%s', (_, mutants) => {
  test.each(mutants)('$breaks', ({ file, find, put, tests }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
    expect(tests.filter((name) => !existsSync(`test/${name}.test.ts`))).toEqual([]);
  });
});
