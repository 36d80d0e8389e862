/** Every filter case on the parser and the matcher. The same cases run through HTTP elsewhere. */
import { sentenceOf } from '../../src/domain/names.ts';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/domain/values/json.ts';
import { isFields, type Fields, type Value } from '../../src/domain/values/values.ts';
import { readValue } from '../../src/domain/values/wrappers.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { FILTER_CASES } from '../support/filter-cases.ts';
import type { FilterCase } from '../support/filter-case.ts';

/** The attributes of a request, read as a write reads them. */
function documentOf(text: string): Fields {
  const parsed = parseJson(text, 64);
  if (!parsed.ok) throw new Error(parsed.detail);
  const value = readValue(parsed.value, null, (_place, detail) => {
    throw new Error(sentenceOf(detail));
  });
  if (!isFields(value)) throw new Error('not an object');
  return value;
}

/** A stand-in for the full-text index: whole words of all strings, OR-ed, phrases and exclusions. */
function textOf(search: string): (document: Fields) => boolean {
  const terms = [...search.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)].map(([, minus, phrase, word]) => ({
    excluded: minus === '-',
    phrase: phrase !== undefined,
    words: wordsOf(phrase ?? word ?? ''),
  }));
  return (document) => {
    const texts = stringsOf(document).map((text) => ` ${wordsOf(text).join(' ')} `);
    const found = (words: readonly string[]): boolean =>
      texts.some((text) => text.includes(` ${words.join(' ')} `));
    if (terms.some((term) => term.excluded && found(term.words))) return false;
    if (terms.some((term) => !term.excluded && term.phrase && !found(term.words))) return false;
    return terms.some((term) => !term.excluded && found(term.words));
  };
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function stringsOf(value: Value): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return isFields(value) ? Object.values(value).flatMap(stringsOf) : [];
}

function run({ documents, parameters, expect: expected }: FilterCase): void {
  const parsed = parseFilter(parameters);
  if ('pointer' in expected) {
    expect(parsed.ok ? parsed.value : parsed.problems.map((each) => each.code)).toContain('invalid-filter');
    if (!parsed.ok) expect(parsed.problems.map((each) => each.meta?.['pointer'])).toContain(expected.pointer);
    return;
  }
  expect(parsed).toMatchObject({ ok: true });
  if (!parsed.ok) return;
  const matches = compileMatcher(parsed.value, { text: textOf });
  const found = documents.flatMap((text, index) => (matches(documentOf(text)) ? [index] : []));
  expect(found).toEqual(expected.matches);
}

describe.each([...Map.groupBy(FILTER_CASES, (each) => each.group)])('%s', (_group, list) => {
  it.each(list.map((each) => [each.behaviour, each] as const))('%s', (_behaviour, each) => {
    run(each);
  });
});

it('has at least four hundred cases, no two of one name', () => {
  expect(FILTER_CASES.length).toBeGreaterThanOrEqual(400);
  expect(new Set(FILTER_CASES.map((each) => `${each.group}: ${each.behaviour}`)).size).toBe(
    FILTER_CASES.length,
  );
});
