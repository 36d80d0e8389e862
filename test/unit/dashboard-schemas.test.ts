/** Drafts of schemas that the dashboard makes from documents. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { draftOf, shownToSchemas } from '../../src/dashboard/pages/document/draft.ts';
import { schemaFrom } from '../../src/dashboard/pages/schemas/infer.ts';
import { checkSchema } from '../../src/schema/check.ts';
import { compileSchema } from '../../src/schema/compile.ts';

describe('a draft from documents', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 5, 2.5, 'a', '2026-01-01', 'a@example.org', 'https://example.org/a'),
      fc.constantFrom({ $date: '2026-01-01T00:00:00.000Z' }, { $numberDecimal: '1.5' }, { $numberLong: '7' }),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  const link = fc.record({
    type: fc.constantFrom('people', 'core.user'),
    id: fc.constant('6b011e2f6aeea231a557b680'),
  });
  const linkage = fc.oneof(fc.constant(null), link, fc.array(link, { maxLength: 2 }));
  const document = fc.record(
    {
      type: fc.constant('things'),
      id: fc.constant('6b011e2f6aeea231a557b680'),
      attributes: fc.dictionary(fc.constantFrom('title', 'size', 'of', 'hasOwn'), value, { maxKeys: 4 }),
      relationships: fc.dictionary(
        fc.constantFrom('author', 'parts'),
        linkage.map((data) => ({ data })),
        { maxKeys: 2 },
      ),
    },
    { requiredKeys: ['type', 'id'] },
  );

  test('is what each of them satisfies', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 6 }), (documents) => {
        const made = documents as unknown as Parameters<typeof schemaFrom>[0];
        const schema = schemaFrom(made);
        expect(checkSchema(schema)).toEqual([]);
        const compiled = compileSchema(schema);
        for (const each of made) expect(compiled.validateValue(shownToSchemas(draftOf(each)))).toEqual([]);
      }),
    );
  });

  test('says formats of three strings, and none that one of them lacks', () => {
    const of = (...strings: string[]) =>
      schemaFrom(strings.map((mail) => ({ type: 'people', id: '', attributes: { mail } })));
    const mail = (schema: unknown) => JSON.stringify(schema).includes('"format":"email"');
    expect(mail(of('a@example.org', 'b@example.org', 'c@example.org'))).toBe(true);
    expect(mail(of('a@example.org', 'b@example.org', 'none'))).toBe(false);
    expect(mail(of('a@example.org'))).toBe(false);
  });
});
