/**
 * The relevance of a document in a full-text search: MongoDB's score. It depends on the document and the search alone:
 * it reveals nothing of other documents, and a cursor can carry it.
 */
import type { Fields } from '../../domain/values/values.ts';
import { parseSearch } from './search.ts';
import { wordsOfDocument } from './words.ts';

/**
 * For each string of the document and each word searched for: how often it is there, every time counting half as much
 * as the time before, and its share of the string's words. A string of the word alone counts a tenth more. Excluded
 * words have no part in it.
 */
export function compileScore(search: string): (document: Fields) => number {
  const { words, phrases } = parseSearch(search);
  const wanted = new Set([...words, ...phrases.flat()]);
  return (document) => {
    let score = 0;
    for (const string of wordsOfDocument(document)) {
      const counts = new Map<string, number>();
      for (const word of string) {
        if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
      }
      for (const times of counts.values()) {
        const frequency = 2 - 2 ** (1 - times);
        const share = 0.5 + (0.5 * times) / string.length;
        score += frequency * share * (string.length === 1 ? 1.1 : 1);
      }
    }
    return score;
  };
}
