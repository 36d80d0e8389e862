/** The index of words and the matcher without it find the same; an index by a former rule is made anew. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FORMER_WORDS_TABLES } from '../../src/query/text/search.ts';
import { LocalCollection } from '../support/local-collection.ts';

let collection: LocalCollection;

beforeEach(() => {
  collection = new LocalCollection();
});
afterEach(() => {
  collection.close();
});

async function count(search: string): Promise<number | null> {
  await collection.buildWords();
  const page = { offset: 0, limit: 10 };
  return (await collection.list({ op: 'text', search }, page)).total;
}

test.each([
  ['a word before a trade mark', 'Foredge™', 'foredge', 'foredgetm'],
  ['a number before a unit', '5㎏', '5', '5kg'],
  ['a vowel sign of Hindi', 'की', 'की', 'का'],
  ['a vowel sign of Tamil', 'கா', 'கா', 'கி'],
  ['a vowel sign of Thai', 'ดี', 'ดี', 'ดา'],
  ['a diacritic', 'Résumé', 'resume', 'resum'],
])('the index finds %s', async (_what, text, found, other) => {
  collection.create({ text });
  expect(await count(found)).toBe(1);
  expect(await count(other)).toBe(0);
});

test.each(FORMER_WORDS_TABLES)(
  'an index that a former rule made (%s) gives way to a new one',
  async (table) => {
    collection.keepFormerWords(table);
    collection.create({ text: 'Foredge™' });
    collection.restart();
    expect(await count('foredge')).toBe(1);
    expect(collection.wordTables()).toEqual(['words_3', 'noted words_3']);
    collection.create({ text: 'foredge again' });
    expect(await count('foredge')).toBe(2);
  },
);

const BEFORE = { title: 'teak', note: 'oak', tags: ['ash'], place: { town: 'elm' }, count: 1 };
test.each([
  ['a string', { title: 'yew' }, ['yew'], ['teak']],
  ['two strings that change places', { title: 'oak', note: 'teak' }, ['oak', 'teak'], []],
  ['an item of an array', { tags: ['yew', 'ash'] }, ['yew', 'ash'], []],
  ['a field of an object', { place: { town: 'yew' } }, ['yew'], ['elm']],
  ['a string that becomes a number', { title: 5 }, ['oak'], ['teak']],
  ['a number that becomes a string', { count: 'yew' }, ['yew', 'teak'], []],
  ['a new field', { more: 'yew' }, ['yew', 'teak'], []],
  ['a string that moves into an array', { title: null, tags: ['ash', 'teak'] }, ['teak', 'ash'], []],
  ['a number', { count: 2 }, ['teak', 'oak', 'ash', 'elm'], []],
])('the index follows a change of %s', async (_what, change, found, gone) => {
  const id = collection.create(BEFORE);
  expect(await count('teak')).toBe(1);
  collection.update(id, change);
  for (const word of found) expect([word, await count(word)]).toEqual([word, 1]);
  for (const word of gone) expect([word, await count(word)]).toEqual([word, 0]);
});

test('how far it is built is told after each step', async () => {
  const told: unknown[] = [];
  const { records, words } = collection.tables;
  for (let n = 0; n < 120; n += 1) collection.create({ text: `word${n}` });
  expect(words.usage(records.lastSeq())).toEqual([]);
  await collection.buildWords(() => told.push(...words.usage(records.lastSeq()).map(({ built }) => built)));
  expect(told).toEqual([50 / 120, 100 / 120, 0.99, 1]);
});
