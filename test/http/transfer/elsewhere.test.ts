/** Exports of Parse, PocketBase, MongoDB and Firestore as a whole: types, ids, references, owners, passwords. */
import { constants } from 'node:buffer';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { explain } from '../../../scripts/failure.ts';
import { convert } from '../../../scripts/transfer/elsewhere/convert.ts';
import type { Mapping } from '../../../scripts/transfer/elsewhere/record.ts';
import { Client } from '../../support/client.ts';
import { PARSE_EXPORT } from '../../support/elsewhere/parse.ts';
import { writeNew, writeOld } from '../../support/elsewhere/pocketbase.ts';
import { logIn } from '../../support/people.ts';
import { fileOf, importOf, newFile } from '../../support/transfer-files.ts';

const PLAIN: Mapping = { types: new Map(), names: new Map(), links: new Map(), owner: null };

function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = newFile('elsewhere');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    const isLines = Array.isArray(content);
    const text = isLines ? content.map((each) => JSON.stringify(each)).join('\n') : JSON.stringify(content);
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function take(path: string, service: string, into: string, more: Partial<Mapping> = {}) {
  return importOf(await convert(path, service, { ...PLAIN, ...more }), { into });
}

const textFrom = async (path: string, service: string) =>
  readFileSync(await convert(path, service, PLAIN), 'utf8');

async function linesFrom(path: string, service: string) {
  const lines = (await textFrom(path, service)).trim().split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line) as { readonly type: string; readonly attributes: object });
}

/** One document of a type, by a field. */
async function one(client: Client, type: string, field: string, value: string) {
  const path = type.startsWith('core.') ? `/users/${type}` : `/resources/${type}`;
  const { body } = await client.get(`${path}?filter[${field}]=${encodeURIComponent(JSON.stringify(value))}`);
  const [document] = body.data;
  if (document === undefined) throw new Error(`No ${type} has ${field} ${value}.`);
  return document;
}

describe('from Parse', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create();
    const folder = folderOf(PARSE_EXPORT);
    const types = new Map([['Post', 'posts']]);
    expect(await take(folder, 'parse', client.application, { types })).toMatchObject({ told: [], stored: 6 });
    expect(await take(folder, 'parse', client.application, { types })).toMatchObject({
      stored: 0,
      unchanged: 6,
    });
  });

  test('pointers and relations become links, dates and points ours', async () => {
    const [ada, bob] = [
      await one(client, 'core.user', 'username', 'ada'),
      await one(client, 'core.user', 'username', 'bob'),
    ];
    const dracula = await one(client, 'posts', 'title', 'Dracula');
    expect(dracula.attributes).toEqual({
      title: 'Dracula',
      count: 3,
      price: 1.5,
      at: '2026-11-01T10:00:00.000Z',
      place: { type: 'Point', coordinates: [13.4, 52.5] },
      tags: ['a', 'b'],
      data: { deep: { x: null } },
      bytes: { __type: 'Bytes', base64: 'aGk=' },
    });
    const to = ({ id }: { readonly id: string }) => ({ type: 'core.user', id });
    expect(dracula.relationships).toMatchObject({
      author: { data: to(ada) },
      category: { data: { type: 'Category' } },
      likes: { data: [] },
    });
    const emma = await one(client, 'posts', 'title', 'Emma');
    expect(emma.relationships).toMatchObject({ likes: { data: [to(bob), to(ada)] } });
    const editors = await one(client, 'core.user-group', 'name', 'editors');
    expect(editors.relationships).toMatchObject({ users: { data: [to(ada)] } });
    expect(bob.attributes).not.toHaveProperty('_rperm');
  });

  test('ACLs become rights; without one nobody has any', async () => {
    const dracula = await one(client, 'posts', 'title', 'Dracula');
    const ada = await one(client, 'core.user', 'username', 'ada');
    const editors = await one(client, 'core.user-group', 'name', 'editors');
    const writers = [
      { type: 'core.user', id: ada.id },
      { type: 'core.user-group', id: editors.id },
    ];
    const acl = async (path: string) => (await client.get(path)).body.data.attributes;
    const rights = await acl(`/resources/posts.acl/${dracula.id}`);
    expect(rights).toMatchObject({ read: '*', update: writers, delete: writers });
    const { id } = await one(client, 'Category', 'name', 'Novels');
    expect(await acl(`/resources/Category.acl/${id}`)).toEqual({ read: [], update: [], delete: [] });
  });

  test.each([
    ['ada', 'correct horse'],
    ['bob', 'battery staple'],
  ])('%s logs in as before', async (username, password) => {
    expect((await logIn(client, username, password)).status).toBe(201);
    expect((await logIn(client, username, 'another')).status).toBe(401);
  });
});

describe('from PocketBase', () => {
  test.each([
    ['0.22', writeOld, 'ada'],
    ['0.23', writeNew, 'Ada@Example.org'],
  ])('%s its database becomes documents and users', async (_, write, username) => {
    const client = await Client.create();
    const file = newFile('data.db');
    write(file);
    const told = await take(file, 'pocketbase', client.application, { owner: 'author' });
    expect(told).toMatchObject({ told: [], stored: 3 });
    const ada = await one(client, 'core.user', 'nick', 'A');
    expect(ada.attributes).toMatchObject({ username, 'confirmed-email': 'ada@example.org' });
    expect(ada.attributes).not.toHaveProperty('tokenKey');
    const dracula = await one(client, 'posts', 'title', 'Dracula');
    const self = { type: 'core.user', id: ada.id };
    expect(dracula.attributes).toEqual({
      title: 'Dracula',
      count: 3.5,
      open: true,
      at: '2026-11-01T10:00:00.123Z',
      data: { deep: [1, null] },
      tags: ['a', 'b'],
    });
    expect(dracula.relationships).toMatchObject({ author: { data: self }, likes: { data: [self] } });
    const emma = await one(client, 'posts', 'title', 'Emma');
    expect(emma.attributes).toMatchObject({ open: false, at: null, data: null, tags: [] });
    expect(emma.relationships).toMatchObject({ author: { data: null }, likes: { data: [] } });
    const { body } = await client.get(`/resources/posts.acl/${dracula.id}`);
    expect(body.data.attributes).toEqual({ read: [self], update: [self], delete: [self] });
    expect((await logIn(client, username, 'correct horse')).status).toBe(201);
    const { body: page } = await client.get(
      '/resources/posts?filter[$created]={"$lt":{"$date":"2026-11-03T10:00:01Z"}}',
    );
    expect(page.data).toHaveLength(2);
  });
});

describe('from MongoDB', () => {
  test('files of mongoexport become types, DBRefs and named references links', async () => {
    const client = await Client.create();
    const [author, other] = ['5f5e100f0f0f0f0f0f0f0f01', '5f5e100f0f0f0f0f0f0f0f02'];
    const folder = folderOf({
      'authors.json': [
        { _id: { $oid: author }, name: 'Stoker' },
        { _id: 7, name: 'Austen' },
      ],
      'books.json': [
        { _id: { $oid: other }, title: 'Dracula', by: { $ref: 'authors', $id: { $oid: author } } },
        { _id: 'x', title: 'Emma', writer: 7 },
      ],
    });
    const links = new Map([['writer', 'authors']]);
    expect(await take(folder, 'mongodb', client.application, { links })).toMatchObject({
      told: [],
      stored: 4,
    });
    const dracula = await one(client, 'books', 'title', 'Dracula');
    expect(dracula).toMatchObject({
      id: other,
      relationships: { by: { data: { type: 'authors', id: author } } },
    });
    const austen = await one(client, 'authors', 'name', 'Austen');
    const emma = await one(client, 'books', 'title', 'Emma');
    expect(emma.relationships).toMatchObject({ writer: { data: { type: 'authors', id: austen.id } } });
  });
});

test('from lines of JSON: files become types, ids ours, named references links', async () => {
  const client = await Client.create();
  const folder = folderOf({
    'authors.jsonl': [{ id: 7, name: 'Austen' }],
    'books.jsonl': [{ id: 'x', title: 'Emma', writer: 7 }],
  });
  const links = new Map([['writer', 'authors']]);
  expect(await take(folder, 'jsonl', client.application, { links })).toMatchObject({ told: [], stored: 2 });
  const austen = await one(client, 'authors', 'name', 'Austen');
  const emma = await one(client, 'books', 'title', 'Emma');
  expect(emma.relationships).toMatchObject({ writer: { data: { type: 'authors', id: austen.id } } });
});

test('fields that would have the same name are refused: neither takes the place of the other', async () => {
  const folder = folderOf({ 'books.jsonl': [{ id: 1, title: 'Emma', name: 'Austen' }] });
  const names = new Map([['title', 'name']]);
  await expect(convert(folder, 'jsonl', { ...PLAIN, names })).rejects.toThrow('the same name');
});

describe('from Firestore', () => {
  const company = {
    name: 'Big Co',
    created: { __datatype__: 'timestamp', value: { _seconds: 12343456, _nanoseconds: 7890000 } },
    places: [{ __datatype__: 'geopoint', value: { _latitude: -12.5, _longitude: 34.5 } }],
    head: { __datatype__: 'documentReference', value: 'companies/docA/employees/e1' },
    staff: [{ __datatype__: 'documentReference', value: 'companies/docA/employees/e1' }],
    __collections__: { employees: { e1: { name: 'Ada', __collections__: {} } } },
  };

  test('documents link to what they stand below, and to what they refer to', async () => {
    const client = await Client.create();
    const file = newFile('backup.json');
    writeFileSync(file, JSON.stringify({ __collections__: { companies: { docA: company } } }));
    expect(await take(file, 'firestore', client.application)).toMatchObject({ told: [], stored: 2 });
    const found = await one(client, 'companies', 'name', 'Big Co');
    expect(found.attributes).toEqual({
      name: 'Big Co',
      created: '1970-05-23T20:44:16.007Z',
      places: [{ type: 'Point', coordinates: [34.5, -12.5] }],
    });
    const employee = await one(client, 'employees', 'name', 'Ada');
    const head = { type: 'employees', id: employee.id };
    expect(found.relationships).toMatchObject({ head: { data: head }, staff: { data: [head] } });
    expect(employee.relationships).toMatchObject({ parent: { data: { type: 'companies', id: found.id } } });
  });

  test('what only looks like a value of theirs is left as it is', async () => {
    const at = { __datatype__: 'timestamp', value: { _seconds: 1e15 } };
    const file = newFile('backup.json');
    writeFileSync(file, JSON.stringify({ __collections__: { notes: { a: { at } } } }));
    expect((await linesFrom(file, 'firestore'))[0]?.attributes).toEqual({ at });
  });

  test('a file that is too large to be read at once is refused', async () => {
    const file = newFile('backup.json');
    writeFileSync(file, '');
    truncateSync(file, constants.MAX_STRING_LENGTH + 1);
    await expect(convert(file, 'firestore', PLAIN)).rejects.toThrow('some collections at a time');
  });
});

describe('what is no export is refused in one line', () => {
  const sqlite = (sql: string) => {
    const database = new DatabaseSync(newFile('data.db'));
    database.exec(sql);
    const file = database.location() ?? '';
    database.close();
    return file;
  };
  test.each([
    ['firestore', () => fileOf('{"users":{}}'), '__collections__'],
    ['firestore', () => fileOf('{'), 'is no JSON'],
    ['pocketbase', () => fileOf('no database '.repeat(9)), 'file is not a database'],
    ['pocketbase', () => sqlite(''), 'no such table: _collections'],
    ['pocketbase', () => newFile('data.db'), 'no such file or directory'],
    ['mongodb', () => fileOf('[1]', 'books.json'), 'an array of objects'],
    ['couchdb', () => fileOf('{}'), '--from takes firestore, jsonl, mongodb, parse, pocketbase.'],
    ['constructor', () => fileOf('{}'), '--from takes firestore, jsonl, mongodb, parse, pocketbase.'],
  ])('from %s', async (service, file, says) => {
    const error: unknown = await convert(file(), service, PLAIN).catch((thrown: unknown) => thrown);
    expect(explain(error)).toContain(says);
    expect(explain(error)).not.toContain('\n');
  });
});

test('no file with hashes of passwords stays where reading fails', async () => {
  const folder = newFile('temporary');
  mkdirSync(folder);
  vi.stubEnv('TMPDIR', folder);
  const file = fileOf('{"_id":1}\n{', 'books.json');
  await expect(convert(file, 'mongodb', PLAIN)).rejects.toThrow('record 2');
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
});

describe('names and numbers are what they were', () => {
  test('a field named __proto__', async () => {
    const [line] = await linesFrom(fileOf('{"_id":1,"__proto__":{"x":1}}', 'books.json'), 'mongodb');
    expect(Object.keys(line?.attributes ?? {})).toEqual(['__proto__']);
  });

  test('a class named constructor', async () => {
    const [line] = await linesFrom(folderOf({ 'constructor.json': { objectId: '1' } }), 'parse');
    expect(line?.type).toBe('constructor');
  });

  test('an integer of more than 53 bits', async () => {
    const file = newFile('data.db');
    writeNew(file);
    const database = new DatabaseSync(file);
    database.exec('UPDATE posts SET count = 9007199254740993');
    database.close();
    expect(await textFrom(file, 'pocketbase')).toContain('"count":9007199254740993');
  });

  test('documents without an id are refused one by one', async () => {
    const client = await Client.create();
    const file = fileOf('title\nDracula\nEmma\n', 'books.csv');
    const { told, stored } = await take(file, 'mongodb', client.application);
    expect([told.length, stored]).toEqual([2, 0]);
  });

  test('a relation to very many is read at once', async () => {
    const relatedId = (at: number) => ({ owningId: 'a', relatedId: `u${at}` });
    const folder = folderOf({
      'Post.json': [{ objectId: 'a', likes: { __type: 'Relation', className: '_User' } }],
      '_Join:likes:Post.json': Array.from({ length: 60_000 }, (_, at) => relatedId(at)),
    });
    expect((await textFrom(folder, 'parse')).match(/core\.user"/g)).toHaveLength(60_000);
  });
});
