/**
 * Subjects for a pattern that somebody wrote: what stands near it in its file, words of the pattern itself, and either
 * of them with small changes, so that there are texts that match, that nearly match and that do not.
 */
import type { Written } from './literals.ts';

const MOST = 40;

export function subjectsFor({ pattern, near }: Written, random: () => number): readonly string[] {
  const words = wordsOf(pattern);
  const texts = [...near, pattern, ...words, words.join(''), words.join(' '), ''];
  const spoilt = texts.map((text) => changed(text, random));
  const joined = near.slice(0, 6).map((text) => `${text}\n${words[0] ?? ''}`);
  const mixed = words.map((word) => `${changed(word, random)}${word}1 a_${word}\n`);
  return [...new Set([...texts, ...joined, ...mixed, ...spoilt])]
    .map((text) => text.toWellFormed().replaceAll('\0', ''))
    .slice(0, MOST);
}

/** What a pattern says by itself: its branches without what is syntax, with a member for each set. */
function wordsOf(pattern: string): string[] {
  const plain = pattern
    .replace(/\\x([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/\(\?[^a-z]?[=!:<]/g, '(')
    .replace(/\\[bBAzZ]|[$^]/g, '')
    .replace(/\\[sS]/g, ' ')
    .replace(/\\d/g, '7')
    .replace(/\\[wWD]/g, 'w')
    .replace(/\\([nrtfv])/g, (_all, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? '\f')
    .replace(/\\(.)/g, '$1')
    .replace(/\[\^[^\]]*\]/g, 'q')
    .replace(/\[(.)[^\]]*\]/g, '$1')
    .replace(/\{\d+,?\d*\}|[*+?]/g, '')
    .replaceAll('.', 'x');
  return [plain.replace(/[()|]/g, ''), ...plain.split(/[()|]+/)].filter((word) => word !== '').slice(0, 8);
}

/** One character less, more, twice, or in the other case; or a line break within. */
function changed(text: string, random: () => number): string {
  const chars = Array.from(text);
  const at = Math.floor(random() * chars.length);
  const char = chars[at] ?? 'a';
  const other = char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase();
  const ways: readonly (readonly string[])[] = [
    [],
    [char, char],
    [other],
    ['\n'],
    [char, 'é'],
    [' ', char],
    ['0'],
  ];
  return chars.toSpliced(at, 1, ...(ways[Math.floor(random() * ways.length)] ?? [])).join('');
}
