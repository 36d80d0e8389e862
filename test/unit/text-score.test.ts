/** The score of a full-text search: MongoDB's, with its published examples. */
import { expect, test } from 'vitest';
import { compileScore } from '../../src/query/text/score.ts';

test.each<[string, Parameters<ReturnType<typeof compileScore>>[0], number]>([
  // MongoDB's manual: $meta, "textScore".
  ['coffee', { subject: 'Coffee Shopping' }, 0.75],
  ['coffee', { subject: 'Coffee and cream' }, 1 / 6 + 0.5],
  ['coffee', { subject: 'Baking a cake' }, 0],
  ['coffee', { subject: 'coffee' }, 1.1],
  ['coffee', { subject: 'Coffee coffee' }, 1.5],
  ['coffee', { subject: 'coffee coffee tea tea' }, 1.5 * 0.75],
  ['coffee tea', { subject: 'coffee tea' }, 1.5],
  ['coffee', { subject: 'coffee', deep: { list: ['coffee', 'tea'] } }, 2.2],
  ['"iced coffee"', { subject: 'iced coffee' }, 1.5],
  ['coffee -tea', { subject: 'coffee tea' }, 0.75],
  ['coffee coffee', { subject: 'coffee' }, 1.1],
  ['COFFÉE', { subject: 'coffee' }, 1.1],
  ['coffee', { type: 'coffee', subject: 'tea' }, 0],
  ['secret', { type: 'core.user', password: 'secret', username: 'open' }, 0],
])('%s in %j: %d', (search, document, score) => {
  expect(compileScore(search)(document)).toBeCloseTo(score, 12);
});
