/** The required cases of the official suite, some of formats too: each verdict is right; refusals are by name. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../src/schema/check.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { isObject, keyOfPlain, plainOf, type Plain, type PlainObject } from '../../src/schema/plain.ts';
import { jsonOf } from '../support/json-schema-run.ts';
import { isList, memberOf } from '../../src/domain/values/tree.ts';

const URIS: Readonly<Record<string, string>> = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
};

interface Group {
  readonly draft: string;
  readonly name: string;
  readonly schema: Plain;
  readonly valid: readonly Plain[];
  readonly invalid: readonly Plain[];
  /** All of it. */
  readonly text: string;
}

function listIn(group: PlainObject, name: string): readonly Plain[] {
  const list = memberOf(group, name);
  return isList(list) ? list : [];
}

function textIn(group: PlainObject, name: string): string {
  const text = memberOf(group, name);
  return typeof text === 'string' ? text : '';
}

function groupsOf(line: string): Group[] {
  const group = plainOf(jsonOf(line), 64, (_place, detail) => {
    throw new Error(detail);
  });
  if (!isObject(group)) throw new Error('A line of the suite is no group.');
  return listIn(group, 'drafts').map((number) => {
    const draft = keyOfPlain(number);
    const schema = memberOf(group, 'schema') ?? null;
    return {
      draft,
      name: `${draft} ${textIn(group, 'of')}`,
      // The draft comes first; a schema that names another keeps it.
      schema: isObject(schema) ? { $schema: URIS[draft] ?? null, ...schema } : schema,
      valid: listIn(group, 'valid'),
      invalid: listIn(group, 'invalid'),
      text: line,
    };
  });
}

const GROUPS = readFileSync('test/support/json-schema-suite/cases.jsonl', 'utf8')
  .trim()
  .split('\n')
  .flatMap(groupsOf);

/** What docs/schemas.md says is refused, as the first fault of each refused group tells it. */
const REFUSED = [
  /^\$ref leads out of the schema; only references inside of it are followed\.$/,
  /^\$(?:recursive|dynamic)Ref may mean several schemas, /,
  /^The drafts known are /,
];

/** Groups with a text that is not of its format, and valid in the suite. */
const CHECKED_FORMATS: ReadonlySet<string> = new Set(
  [
    ...['email', 'regex', 'ipv4', 'ipv6', 'hostname', 'date', 'date-time', 'time', 'json-pointer', 'uri'],
    ...['relative-json-pointer', 'uri-reference', 'uri-template', 'uuid', 'duration'],
    ...['iri', 'iri-reference', 'idn-email', 'idn-hostname'],
  ].map((format) => `2020 format: ${format} format`),
);

/** Cases of each draft. */
const COUNTS = [618, 839, 1135, 1468, 1508];

/** The files of the suite that hold groups which are refused, and how many. */
const FILES_OF_REFUSED = {
  '4 definitions': 1,
  '4 ref': 1,
  '4 refRemote': 8,
  '6 definitions': 1,
  '6 ref': 1,
  '6 refRemote': 11,
  '7 refRemote': 11,
  '7 definitions': 1,
  '7 ref': 1,
  '2019 defs': 1,
  '2019 recursiveRef': 3,
  '2019 ref': 1,
  '2019 refRemote': 15,
  '2019 unevaluatedItems': 1,
  '2019 unevaluatedProperties': 1,
  '2019 vocabulary': 2,
  '2020 defs': 1,
  '2020 dynamicRef': 13,
  '2020 ref': 1,
  '2020 refRemote': 15,
  '2020 unevaluatedItems': 1,
  '2020 unevaluatedProperties': 1,
  '2020 vocabulary': 2,
};

/** Whether a value has something at a JSON pointer. */
function hasAt(value: Plain, pointer: string): boolean {
  const [, name, rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
  if (name === undefined) return pointer === '';
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const inner = isList(value) ? value[Number(key)] : isObject(value) ? memberOf(value, key) : undefined;
  return inner !== undefined && hasAt(inner, rest);
}

const refused = GROUPS.filter(({ schema }) => checkSchema(schema).length > 0);
const used = GROUPS.filter((group) => !refused.includes(group));

describe('the official suite', () => {
  it('has all these cases here', () => {
    const count = (draft: string): number =>
      GROUPS.filter((group) => group.draft === draft).reduce(
        (sum, { valid, invalid }) => sum + valid.length + invalid.length,
        0,
      );
    expect(Object.keys(URIS).map(count)).toEqual(COUNTS);
  });

  it.each(used.map((group) => [group.name, group] as const))('%s', (name, { schema, valid, invalid }) => {
    const compiled = compileSchema(schema);
    const accepted = [...valid, ...invalid].filter((value) => compiled.validateValue(value).length === 0);
    // In 2020-12 the suite takes formats as notes unless a vocabulary asks for more; here they count (docs/schemas.md).
    const isNote = CHECKED_FORMATS.has(name);
    expect(accepted).toEqual(isNote ? valid.filter((value) => typeof value !== 'string') : valid);
  });

  it('is told by keywords of its schemas, at places of its values', () => {
    const strange = used.flatMap(({ name, schema, invalid, text }) => {
      const compiled = compileSchema(schema);
      return invalid.flatMap((value) =>
        compiled
          .validateValue(value)
          .filter(
            ({ keyword, pointer }) =>
              !text.includes(keyword) || !hasAt(value, pointer.replace(/^\/data/, '')),
          )
          .map(({ keyword, pointer }) => `${name}: ${keyword} at ${pointer}`),
      );
    });
    expect(strange).toEqual([]);
  });

  it('is refused by name where it asks for what is not followed', () => {
    const reasons = refused.map(({ schema }) => checkSchema(schema)[0]?.detail ?? '');
    expect(reasons.filter((reason) => !REFUSED.some((known) => known.test(reason)))).toEqual([]);
    const files = Map.groupBy(refused, ({ name }) => name.replace(/:.*/, ''));
    expect(Object.fromEntries([...files].map(([file, groups]) => [file, groups.length]))).toEqual(
      FILES_OF_REFUSED,
    );
  });
});
