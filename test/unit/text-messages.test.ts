/** Words of real-looking messages: a naive reading, the matcher and the index of words find the same. */
import { afterAll, describe, expect, test } from 'vitest';
import { flatOf } from '../../src/domain/values/stored.ts';
import { textMatcher } from '../../src/query/text/search.ts';
import { wordsOf } from '../../src/query/text/words.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { MESSAGES, naiveWords } from '../support/messages.ts';

const collection = new LocalCollection();
for (const text of MESSAGES) collection.create({ text });
await collection.buildWords();
afterAll(() => {
  collection.close();
});

async function byIndex(search: string): Promise<readonly unknown[]> {
  const { documents } = await collection.list({ op: 'text', search }, { offset: 0, limit: 100 });
  return documents.map((document) => flatOf(document)['text']);
}

const byMatcher = (search: string) => MESSAGES.filter((text) => textMatcher(search)({ text }));

const has = (text: string, phrase: string) =>
  ` ${naiveWords(text).join(' ')} `.includes(` ${naiveWords(phrase).join(' ')} `);

test.each(MESSAGES)('the words of %j are those of a naive reading', (text) => {
  expect(wordsOf(text)).toEqual(naiveWords(text));
});

/** What a message gives to look for: each word as it was typed, and what may stand beside it. */
const typed = [...new Set(MESSAGES.flatMap((text) => text.split(/\s+/)))].filter(
  (each) => naiveWords(each).length === 1 && !each.startsWith('-'),
);

describe('a search finds by the index and by the matcher what a naive reading finds', () => {
  test.each(typed)('for the word %j', async (word) => {
    const expected = MESSAGES.filter((text) => has(text, word));
    expect(expected).not.toEqual([]);
    expect(byMatcher(word)).toEqual(expected);
    expect(await byIndex(word)).toEqual(expected);
    expect(await byIndex(`☎️ ${word} \uFE0F`)).toEqual(expected);
  });

  test.each(MESSAGES.filter((text) => naiveWords(text).length > 1))('for the phrase %j', async (phrase) => {
    const expected = MESSAGES.filter((text) => has(text, phrase));
    expect(byMatcher(`"${phrase}"`)).toEqual(expected);
    expect(await byIndex(`"${phrase}"`)).toEqual(expected);
    const [first = ''] = naiveWords(phrase);
    const others = MESSAGES.filter((text) => has(text, first) && !has(text, phrase));
    expect(byMatcher(`${first} -"${phrase}"`)).toEqual(others);
    expect(await byIndex(`${first} -"${phrase}"`)).toEqual(others);
  });
});

test.each([
  ['☎️ sea', ['I ❤️ the sea', 'I ❤ the sea']],
  ['sea -✔️', ['I ❤️ the sea', 'I ❤ the sea']],
  ['"call me now"', ['call me ☎️ now', 'call me now']],
  ['1', ['1️⃣ flour 2️⃣ eggs 🔟 minutes']],
  ['12', ['room 1️⃣2️⃣']],
  ['so-called', []],
  ['"socalled"', ['so\u{AD}called co\u{AD}op\u{AD}er\u{AD}ation']],
  ['hashtag', ['#️⃣hashtag *️⃣star']],
  ['x y', ['snake_case and _private, x⃗ and y⃝']],
  ['pride -sea\u200D', ['🏳️‍🌈 pride ❤️‍🔥love']],
  ['the \uFEFF-sea', []],
  ['☎️', []],
  ['"❤️"', []],
  ['-❤️', []],
])('%s', async (search, expected) => {
  expect(byMatcher(search)).toEqual(expected);
  expect(await byIndex(search)).toEqual(expected);
});
