/** Finds phrases in the strings of a document: all in one pass over its words (the algorithm of Aho and Corasick). */

/** A sequence of one or more words, adjacent in one string. */
export type Phrase = readonly string[];

/** Words that begin a phrase, one after the other. */
interface Beginning {
  readonly next: Map<string, Beginning>;
  /** The longest end of these words that begins a phrase, too; null where nothing has been read. */
  shorter: Beginning | null;
}

/** Tells of each phrase whether one of the strings has it. */
export function phraseFinder(
  phrases: readonly Phrase[],
): (strings: Iterable<Iterable<string>>) => readonly boolean[] {
  const nothing: Beginning = { next: new Map(), shorter: null };
  const after = (begun: Beginning | null, word: string): Beginning => {
    for (let from = begun; from !== null; from = from.shorter) {
      const longer = from.next.get(word);
      if (longer !== undefined) return longer;
    }
    return nothing;
  };
  const whole = phrases.map((phrase) => phrase.reduce(lengthen, nothing));
  // Shorter ones come first: a longer one has what it needs from them.
  const all = [nothing];
  for (const begun of all) {
    for (const [word, longer] of begun.next) {
      longer.shorter = after(begun.shorter, word);
      all.push(longer);
    }
  }
  return (strings) => {
    const met = new Set<Beginning>();
    for (const words of strings) {
      let read = nothing;
      for (const word of words) {
        read = after(read, word);
        // Where one has been met, so have its shorter ones.
        for (let each: Beginning | null = read; each !== null && !met.has(each); each = each.shorter) {
          met.add(each);
        }
      }
    }
    return whole.map((phrase) => met.has(phrase));
  };
}

function lengthen(begun: Beginning, word: string): Beginning {
  const longer = begun.next.get(word) ?? { next: new Map(), shorter: null };
  begun.next.set(word, longer);
  return longer;
}
