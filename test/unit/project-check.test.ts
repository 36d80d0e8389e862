/** `check` finds in the files of a project what the service would refuse, and says where (docs/guides/project.md). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { checkedProject } from '../../scripts/project/check.ts';
import { initialize } from '../../scripts/project/init.ts';
import { readProject } from '../../scripts/project/project.ts';
import { newFolder } from '../support/scope.ts';

function project(files: Readonly<Record<string, string>> = {}): string {
  const root = newFolder();
  for (const [name, text] of Object.entries({ 'foredge.json': '{}', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const key = (permission: string) => `{"name": "k",\n "permissions": [${permission}]}`;

const PROVIDER = '{"name": "a", "issuer": "https://a.example", "client-id": "b"}';

test.each<[what: string, file: string, text: string, fault: string]>([
  ['a comma too many', 'types/a.json', '{\n  "unique": [],\n}', '3:1  Property name expected.'],
  ['a list', 'types/a.json', '[]', '1:1  This must be a JSON object.'],
  ['an empty file', 'types/a.json', '', '1:1  Value expected.'],
  ['levels beyond number', 'types/a.json', '{"a":'.repeat(20_000), '1:1  The JSON nests too many levels.'],
  [
    'a member twice',
    'types/a.json',
    '{"text": true,\n "text": false}',
    '2:2  The member text is said twice.',
  ],
  [
    'a number that would lose digits',
    'types/a.json',
    '{"schema": {"maximum": 9007199254740993}}',
    '1:24  The number has more digits than can be kept here.',
  ],
  [
    'an unknown setting',
    'types/a.json',
    '{\n  // Nobody twice.\n  "uniqe": [["slug"]]\n}',
    '3:12  There is no setting uniqe. Did you mean unique?',
  ],
  ['a setting of another form', 'types/a.json', '{"rights": {"read": ["*",\n"everybody"]}}', '2:1  '],
  [
    'a type of the service that has no settings',
    'types/core.schema.json',
    '{"text": true}',
    '1:1  The name must be that of a type of resources, core.user',
  ],
  [
    'a schema that is none',
    'types/a.json',
    '{"schema": {"properties": {"attributes": {\n"minProperties": -1}}}}',
    '2:18  ',
  ],
  ['the second schema of a type', 'types/a.json', '{"schema": [{}, {"type": "objct"}]}', '1:26  '],
  [
    'a stage that is none',
    'aggregates/a.json',
    '{"input-type": "a", "output-type": "agt.a", "pipeline": [{"grop": {}}]}',
    '1:67  There is no stage grop. Did you mean group?',
  ],
  [
    'an aggregate without a name',
    'aggregates/a.json',
    '{"input-type": "a"}',
    '1:1  The aggregate needs the member output-type',
  ],
  ['a method that is none', 'keys/a.json', key('{"path": "/x", "methods": ["put"]}'), '2:45  '],
  [
    'a secret',
    'keys/a.json',
    '{"name": "k", "permissions": [], "secure-id": "x"}',
    '1:47  The secure-id stays on the server.',
  ],
  [
    'a secret of a webhook',
    'webhooks/a.json',
    '{"name": "w", "target": "a", "url": "https://example.com", "secret": "x"}',
    '1:70  The secret stays on the server.',
  ],
  [
    'a webhook to nowhere',
    'webhooks/a.json',
    '{"name": "w", "target": "a", "url": "ftp://x.example"}',
    '1:37  ',
  ],
  [
    'an account setting that is none',
    'accounts.json',
    '{"sign-in": "open"}',
    '1:13  There is no such attribute',
  ],
  ['an account setting of another form', 'accounts.json', '{"minutes":\n 0}', '2:2  This is a whole number'],
  [
    'a secret of a provider',
    'accounts.json',
    '{"providers": [{"name": "a", "issuer": "https://a.example", "client-id": "b",\n"client-secret": "x"}]}',
    '2:18  The client-secret stays on the server.',
  ],
  [
    'a provider without a client',
    'accounts.json',
    '{"providers": [\n{"name": "a", "issuer": "https://a.example"}]}',
    '2:1  The attribute client-id is required.',
  ],
  [
    'providers that are no list',
    'accounts.json',
    '{"providers": {}}',
    '1:15  The identity provider needs the member name, a string.',
  ],
  [
    'a provider twice',
    'accounts.json',
    `{"providers": [${PROVIDER},\n${PROVIDER}]}`,
    '2:10  The identity provider a is in',
  ],
  [
    'a mail without its code',
    'mails/a.json',
    '{"name": "log-in", "subject": "x",\n"text": "y"}',
    '2:9  The text has {{code}} or {{link}}.',
  ],
  [
    'a file of another name',
    'account.json',
    '{}',
    '1:1  Nothing is read from here. Did you mean accounts.json?',
  ],
  ['a folder of another name', 'type/a.json', '{}', '1:1  Nothing is read from here. Did you mean types?'],
  ['a folder in a folder', 'types/more/a.json', '{}', '1:1  Nothing is read from here.'],
  ['a folder with the name of a file', 'types/a.json/b.json', '{}', '1:1  Nothing is read from here.'],
  ['a file of another form', 'types/a.yaml', 'text: true', '1:1  Nothing is read from here.'],
  ['a migration that would never run', 'migrations/1.ts', '', '1:1  Nothing is read from here.'],
  [
    'a migration that renames a field to itself',
    'migrations/1.json',
    '{"type": "a", "rename": {"a": "a"}}',
    '1:31  Another field is named or renamed a here',
  ],
  [
    'a migration that renames two fields to one',
    'migrations/1.json',
    '{"type": "a", "rename": {"a": "c", "b": "c"}}',
    '1:31  Another field is named or renamed c here',
  ],
  [
    'a migration by which names wander',
    'migrations/1.json',
    '{"type": "a", "rename": {"a": "b", "b": "c"}}',
    '1:31  Another field is named or renamed b here',
  ],
  ['a seed of no type', 'seeds/a.jsonl', '{"id": "a", "type": "a b"}', '1:21  a b is no type of documents.'],
  ['a seed without a name', 'seeds/a.jsonl', '{"id": ""}', '1:8  A seed needs an id, any text.'],
  [
    'a seed whose attributes stand beside them',
    'seeds/a.jsonl',
    '\n{"id": "a", "title": "Hi"}',
    '2:22  There is no member title.',
  ],
  [
    'a seed that would lose digits',
    'seeds/a.jsonl',
    '{"id": "a", "attributes": {"n": 9007199254740993}}',
    '1:33  The number has more digits',
  ],
  [
    'a seed without an id',
    'seeds/a.jsonl',
    '{"id": "a"}\n\n{"attributes": {}}',
    '3:1  A seed needs an id, any text.',
  ],
  ['a migration of no type', 'migrations/1.json', '{}', '1:1  This must be a type of your own'],
  [
    'a migration of users',
    'migrations/1.json',
    '{"type": "core.user"}',
    '1:10  This must be a type of your own: for others, write a program (.js).',
  ],
  [
    'groups that are no names',
    'accounts.json',
    '{"groups": [7]}',
    '1:12  This is an array of names of groups, each once.',
  ],
  [
    'a group without a name',
    'accounts.json',
    '{"groups": [""]}',
    '1:12  This is an array of names of groups, each once.',
  ],
  [
    'a group that is named twice',
    'accounts.json',
    '{"groups": ["a", "a"]}',
    '1:12  This is an array of names of groups, each once.',
  ],
  [
    'a migration with a strange member',
    'migrations/1.json',
    '{"type": "a", "sett": {}}',
    '1:23  There is no member sett. Did you mean set?',
  ],
  [
    'a migration to a path',
    'migrations/1.json',
    '{"type": "a", "rename": {"a": "b.c"}}',
    '1:31  The field name b.c must not contain a dot.',
  ],
  [
    'a migration by no expression',
    'migrations/1.json',
    '{"type": "a", "set": {"n": {"$toDecimel": "$n"}}}',
    '1:43  There is no',
  ],
  [
    'a migration that removes no name',
    'migrations/1.json',
    '{"type": "a", "remove": ["a", 7]}',
    '1:31  This must be the name of a field.',
  ],
  ['a migration that is no JSON', 'migrations/1.json', '{"type": "a",, }', '1:14  '],
  ['a seed that is no JSON', 'seeds/a.jsonl', '{"id"', '1:6  Colon expected.'],
])('%s', (_, file, text, fault) => {
  const root = project({ [`foredge/${file}`]: text });
  const path = relative('.', join(root, 'foredge', file.replace(/^(type|types\/[^/]+)\/.*/, '$1')));
  let told = '';
  try {
    checkedProject(root);
  } catch (error) {
    told = String(error);
  }
  expect(told).toContain(`${path}:${fault}`);
});

test.each<[what: string, targets: unknown, fault: string]>([
  [
    'a target with an address alone',
    { a: { url: 'https://a.example' } },
    'A target has a url without a name or password in it, and an application, or neither.',
  ],
  ['a target that is none', { a: 7 }, 'A target has a url'],
  ['a password in a file', { a: { url: 'https://b:c@a.example', application: 'x' } }, 'A target has a url'],
  ['a target without a host', { a: { url: 'https://', application: 'x' } }, 'A target has a url'],
  ['targets that are no object', [], 'This must be an object of targets'],
  ['a target that is somewhere else', { a: { url: 'file:///x', application: 'x' } }, 'A target has a url'],
  [
    'a secret in a file',
    { a: { url: 'https://a.example', application: 'x', key: 'y' } },
    'no member of a target key',
  ],
])('%s is refused', (_, targets, fault) => {
  const { faults } = readProject(project({ 'foredge.json': JSON.stringify({ targets }) }));
  expect(faults.map(({ detail }) => detail)).toEqual([expect.stringContaining(fault)]);
});

test('a member of foredge.json that is none is refused', () => {
  const { faults } = readProject(project({ 'foredge.json': '{"tragets": {}}' }));
  expect(faults.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/no member tragets\. Did you mean targets/),
  ]);
});

test('two files with one key are refused', () => {
  const root = project({ 'foredge/keys/a.json': key(''), 'foredge/keys/b.json': key('') });
  expect(() => checkedProject(root)).toThrow(/b\.json:1:10 {2}The key k is in .*a\.json as well/);
});

test('the folder inside stands for the project', () => {
  const root = project({ 'foredge/types/a.json': '{"text": true}' });
  const { root: home, declared } = checkedProject(join(root, 'foredge'));
  expect([home, declared.length]).toEqual([root, 1]);
  expect(() => checkedProject(join(root, 'foredge/types'))).toThrow('foredge init makes one');
});

test('a folder without foredge.json is no project', () => {
  expect(() => readProject(tmpdir())).toThrow('foredge init makes one');
});

test('the example of init has no fault, and stays where something is there', () => {
  const root = project();
  rmSync(join(root, 'foredge.json'));
  writeFileSync(join(root, '.gitignore'), 'node_modules/');
  expect(initialize(root).map((path) => relative(root, path))).toEqual([
    'foredge.json',
    'foredge/types/articles.json',
    'foredge/keys/website.json',
    'foredge/seeds/articles.jsonl',
    '.gitignore',
  ]);
  expect(checkedProject(root).declared).toHaveLength(3);
  expect(() => initialize(root)).toThrow(/There is a .*foredge\.json already/);
});
