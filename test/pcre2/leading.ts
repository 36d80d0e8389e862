/** Random patterns that tree.ts does not know: options in front, newlines of two characters, `\\K` and `(*ACCEPT)`. */
import fc from '../support/fast-check.ts';

const leading = fc
  .subarray(
    ['(*NOTEMPTY)', '(*NOTEMPTY_ATSTART)', '(*CRLF)', '(*CR)', '(*ANYCRLF)', '(*ANY)', '(*BSR_ANYCRLF)'],
    {
      maxLength: 2,
    },
  )
  .map((items) => items.join(''));

/** `(?1)` calls a group around the first part. */
const { texts: patternTexts } = fc.letrec<{ texts: string; item: string }>((tie) => ({
  texts: fc
    .array(
      fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((items) => items.join('')),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((branches) => branches.join('|')),
  item: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom(
      ...['a', 'b', 'b', '[^a]', '[^b]', '[\\x01-\\x0c]', '\\s', '.', '\\N', '\\R', '^', '$', '(?m:^)'],
      ...['(?m:$)', '\\K', '\\b', '(*ACCEPT)', '(?1)', '\\n'],
    ),
    fc
      .tuple(tie('texts'), fc.constantFrom('', '', '*', '+', '?', '+?', '{2}', '*+'))
      .map(([text, count]) => `(?:${text})${count}`),
    tie('texts').map((text) => `(?>${text})`),
    tie('texts').map((text) => `(?=${text.replaceAll('\\K', '')})`),
    tie('texts').map((text) => `(${text})`),
  ),
}));

/** Patterns with options in front, as texts, and a subject for each. */
export const withLeading = fc.tuple(
  fc.tuple(leading, patternTexts, patternTexts).map(([items, one, other]) => `${items}(${one})|${other}`),
  fc
    .array(fc.constantFrom('a', 'b', '\r\n', '\r\n', '\r', '\n', '\u0085'), { maxLength: 6 })
    .map((parts) => parts.join('')),
);
