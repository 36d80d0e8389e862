/** The schemas by which editors check and complete the files of a project: they take what `check` takes. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { stripComments } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { initialize } from '../../scripts/project/init.ts';
import { schemasOfFiles } from '../../scripts/project/schemas.ts';
import { WHOLE } from '../support/project.ts';
import { newFolder } from '../support/scope.ts';

const SCHEMAS = schemasOfFiles();

/** Where a file is not as its schema says. */
function faults(name: string, content: unknown): readonly string[] {
  const schema = JSON.parse(SCHEMAS.get(name) ?? '') as object;
  return new Validator(schema, '2020-12')
    .validate(content)
    .errors.map(({ instanceLocation }) => instanceLocation);
}

test('the files of init are as their schemas say, which they name', () => {
  const root = newFolder();
  const paths = initialize(root).filter((path) => path.endsWith('.json'));
  const named = paths.map((path) => {
    const content = JSON.parse(stripComments(readFileSync(path, 'utf8'))) as { $schema: string };
    const schema = resolve(path, '..', content.$schema);
    expect(existsSync(path)).toBe(true);
    const [, name = ''] =
      /^(.*)\.json$/.exec(schema.replace(join(root, 'node_modules/foredge/dist/schemas/'), '')) ?? [];
    expect(faults(name, content)).toEqual([]);
    return name;
  });
  expect(named).toEqual(['foredge', 'types', 'keys']);
});

test.each(Object.entries(WHOLE).filter(([, content]) => typeof content === 'object'))(
  '%s has no fault',
  (path, content) => {
    expect(faults(path.split(/[/.]/)[0] ?? '', content)).toEqual([]);
  },
);

test.each<[what: string, schema: string, content: unknown, at: string]>([
  ['a setting that is none', 'types', { uniqe: [['a']] }, '#'],
  ['rights of no list', 'types', { rights: { read: '*' } }, '#/rights/read'],
  ['a schema that is none', 'types', { schema: 'x' }, '#/schema'],
  ['a key that says its secret', 'keys', { name: 'x', permissions: [], 'secure-id': 'x' }, '#/secure-id'],
  [
    'a method that is none',
    'keys',
    { name: 'x', permissions: [{ path: '.*', methods: ['put'] }] },
    '#/permissions/0/methods/0',
  ],
  ['an aggregate without a pipeline', 'aggregates', { 'input-type': 'a', 'output-type': 'agt.a' }, '#'],
  ['a webhook without a name', 'webhooks', { target: 'a', url: 'https://a.example' }, '#'],
  ['an account setting that is none', 'accounts', { 'sign-in': 'open' }, '#'],
  [
    'a secret of a provider',
    'accounts',
    { providers: [{ name: 'a', issuer: 'https://a.example', 'client-id': 'a', 'client-secret': 'x' }] },
    '#/providers/0/client-secret',
  ],
  ['a migration to no name', 'migrations', { type: 'a', rename: { a: '$b' } }, '#/rename/a'],
  ['a secret of a target', 'foredge', { targets: { a: { key: 'x' } } }, '#/targets/a'],
])('%s is a fault', (_, schema, content, at) => {
  expect(faults(schema, content)).toContain(at);
});

test('descriptions are plain', () => {
  expect([...SCHEMAS.values()].join('')).not.toMatch(/\]\(/);
});
