/**
 * Words of full-text search, for both the index and the exact matcher, so that they cannot differ. A word is a run of
 * letters, digits, marks and `_`, without case and diacritics. It does not begin with a mark: that belongs to the
 * character before it, such as an emoji.
 */
import { digest64 } from '../../domain/digest.ts';
import { secretFields } from '../../domain/secrets.ts';
import { isFields, ObjectId, type Fields, type Value } from '../../domain/values/values.ts';
import { isList } from '../../domain/values/tree.ts';

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu;

/** The same in a text of ASCII that is in lower case: tables of Unicode take three times as long. */
const PLAIN_WORD = /[a-z0-9_]+/g;

/** A longer word is stored as a digest: an index does not need the whole word. */
const LONGEST = 100;

/**
 * The words of a text in order, folded. They are parted before they are folded: what is folded may come apart, as a
 * trade mark does into letters that would join the word before it.
 */
export function wordsOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return (text.toLowerCase().match(PLAIN_WORD) ?? []).map(shorten);
  const words: string[] = [];
  for (const [word] of visible(text).matchAll(WORD)) {
    const folded = fold(word);
    // A letter that is no more than a mark leaves nothing.
    if (folded !== '') words.push(shorten(folded));
  }
  return words;
}

/** The words of every string in a document, string by string; not of links, the document's type or its secrets. */
export function wordsOfDocument(document: Fields): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const visit = (value: Value): void => {
    if (typeof value === 'string') {
      const words = wordsOf(value);
      if (words.length > 0) found.push(words);
    } else if (isList(value)) value.forEach(visit);
    else if (isFields(value) && !isLink(value)) Object.values(value).forEach(visit);
  };
  const { type } = document;
  const secret = typeof type === 'string' ? secretFields(type) : [];
  for (const [name, value] of Object.entries(document)) {
    if (name !== 'type' && !secret.includes(name)) visit(value);
  }
  return found;
}

/** What a search looks into that may see some fields of a document; undefined for all. The type tells its secrets. */
export function seenIn(document: Fields, only: readonly string[] | undefined): Fields {
  if (only === undefined) return document;
  const isSeen = ([name]: readonly [string, Value]) => name === 'type' || only.includes(name);
  return Object.fromEntries(Object.entries(document).filter(isSeen));
}

/** A text without what only says how other characters look or join: variation selectors, joiners, soft hyphens. */
export function visible(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
}

/**
 * Marks that Unicode calls diacritics, and those of symbols, such as the key around a digit. The signs of vowels in
 * Hindi, Tamil or Thai are none: they make other words.
 */
const DIACRITICS = /(?:(?=\p{M})\p{Diacritic}|[\p{Me}\u20d0-\u20ff])+/gu;

/** Case and diacritics gone: compatibility decomposition without them, then full case folding as far as it goes. */
function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').replace(DIACRITICS, '');
  // Upper case first, so that what has several lower-case forms (ß and ss, ς and σ) ends in one of them.
  return bare.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKD').replace(DIACRITICS, '');
}

// oxlint-disable-next-line no-control-regex -- ASCII is what is meant
const PLAIN = /^[\x00-\x7f]*$/;

function shorten(word: string): string {
  return word.length <= LONGEST ? word : `${word.slice(0, LONGEST - 17)}_${digest64(word)}`;
}

function isLink(value: Fields): boolean {
  return (
    value['id'] instanceof ObjectId && typeof value['type'] === 'string' && Object.keys(value).length === 2
  );
}
