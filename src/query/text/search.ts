/**
 * The text of a `$text` search, parsed: as a predicate on documents, and as an expression for the index of words. One
 * word is enough, a quoted phrase must be present, a leading `-` excludes.
 */
import type { Fields } from '../../domain/values/values.ts';
import { phraseFinder, type Phrase } from './phrases.ts';
import { visible, wordsOf, wordsOfDocument } from './words.ts';

interface TextQuery {
  /** At least one must be present, unless a phrase is asked for. */
  readonly words: readonly string[];
  readonly phrases: readonly Phrase[];
  readonly excluded: readonly Phrase[];
}

/** What stands between blanks, phrases as a whole; a quote that does not end is no quote. */
const TERM = /(?:"[^"]*"|\S)+/g;
const PART = /"([^"]*)"|[^"]+/g;

export function parseSearch(search: string): TextQuery {
  const words: string[] = [];
  const phrases: Phrase[] = [];
  const excluded: Phrase[] = [];
  for (const [term] of visible(search).matchAll(TERM)) {
    // As in MongoDB, a minus counts only at the beginning of a term, and then for all words and phrases of the term.
    const isExcluded = term.startsWith('-');
    for (const [part, quoted] of term.matchAll(PART)) {
      const found = wordsOf(quoted ?? part);
      if (quoted === undefined && !isExcluded) words.push(...found);
      else if (quoted === undefined) excluded.push(...found.map((word) => [word]));
      else if (found.length > 0) (isExcluded ? excluded : phrases).push(found);
    }
  }
  return { words: [...new Set(words)], phrases: distinct(phrases), excluded: distinct(excluded) };
}

/** Whether a document matches, without any index. A search without a positive term matches nothing. */
export function textMatcher(search: string): (document: Fields) => boolean {
  const { words, phrases, excluded } = parseSearch(search);
  const asked = phrases.length > 0 ? phrases : words.map((word) => [word]);
  const find = phraseFinder([...asked, ...excluded]);
  return (document) => {
    const found = find(wordsOfDocument(document));
    const positive = found.slice(0, asked.length);
    const isThere = phrases.length > 0 ? !positive.includes(false) : positive.includes(true);
    return isThere && !found.includes(true, asked.length);
  };
}

function distinct(phrases: readonly Phrase[]): readonly Phrase[] {
  // No word has a blank.
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()];
}

/** Words of phrases that the index looks for: it looks for each anew in each phrase, without a pause. */
const MOST_IN_PHRASES = 100;

/** Null for a search that matches nothing. */
export function indexSearch(search: string) {
  const { words, phrases, excluded } = parseSearch(search);
  if (phrases.length === 0 && words.length === 0) return null;
  const inPhrases = [...phrases, ...excluded].filter(({ length }) => length > 1).flat();
  const exact = inPhrases.length <= MOST_IN_PHRASES;
  const positive =
    phrases.length === 0
      ? words.map((word) => phraseExpression([word])).join(' OR ')
      : (exact ? phrases : [...new Set(phrases.flat())].map((word) => [word]))
          .map(phraseExpression)
          .join(' AND ');
  const negative = (exact ? excluded : excluded.filter(({ length }) => length === 1)).map(phraseExpression);
  return {
    expression: negative.length === 0 ? positive : `(${positive}) NOT (${negative.join(' OR ')})`,
    exact,
  };
}

/**
 * The index's entry for a document: its words, with strings parted so that no phrase reaches from one into the next.
 */
export function indexContent(document: Fields): string {
  return wordsOfDocument(document).map(indexTerms).join(` ${BETWEEN_STRINGS} `);
}

/**
 * The table of the index. Its number is that of the rule by which words are made: an index that an older rule made
 * stays what it is and is asked no more.
 */
export const WORDS_TABLE = 'words_3';
/** Names under former rules. */
export const FORMER_WORDS_TABLES: readonly string[] = ['words', 'words_2'];

/** No word is encoded so: an `x` always comes in pairs. */
const BETWEEN_STRINGS = 'x';

function phraseExpression(phrase: Phrase): string {
  return `"${indexTerms(phrase)}"`;
}

/** Words in letters and digits of ASCII alone, so that the index's own tokenizer leaves them as they are. */
function indexTerms(words: readonly string[]): string {
  // All at once: no word has a blank.
  return words
    .join(' ')
    .replace(/[^a-wyz0-9 ]/gu, (character) => `x${(character.codePointAt(0) ?? 0).toString(16)}x`);
}
