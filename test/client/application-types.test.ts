/** `npm run app -- types`: an application's schemas and settings as types that the compiler takes (docs/client.md). */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { typesOf } from '../../scripts/application-types.ts';
import { Client } from '../support/client.ts';
import { ROOT } from '../support/started.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(ROOT, 'node_modules/.types-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const link = (pattern: string) => ({ type: 'object', properties: { type: { type: 'string', pattern } } });
const BOOKS = {
  properties: {
    attributes: {
      type: 'object',
      required: ['title'],
      properties: {
        title: { type: 'string', minLength: 1 },
        description: { type: 'string', description: 'in a few words' },
        year: { type: 'integer' },
        published: { type: 'string', format: 'date-time' },
        price: { type: 'number', tsType: 'Decimal' },
        genre: { enum: ['gothic', 'science'] },
        shelf: { $ref: '#/definitions/Shelf' },
        editions: { type: 'array', items: { $ref: '#/definitions/Shelf' }, maxItems: 9 },
      },
    },
    relationships: {
      type: 'object',
      required: ['author'],
      properties: {
        author: { oneOf: [{ type: 'null' }, { type: 'object', properties: { data: link('^authors$') } }] },
        readers: {
          properties: { data: { type: 'array', items: link('^(?:core\\.user|core\\.external-user)$') } },
        },
        about: { type: 'object', properties: { data: link('^.*$') } },
      },
    },
  },
  definitions: {
    Shelf: { type: 'object', properties: { room: { type: 'string' } }, additionalProperties: false },
  },
};
const AUTHORS = {
  properties: { attributes: { $ref: '#/definitions/Shelf' } },
  definitions: { Shelf: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
};

const client = await Client.create();
const declare = async (path: string, type: string, attributes: object) => {
  const made = await client.post(path, { data: { type, attributes } });
  expect(made.status, made.text).toBe(201);
};
await declare('/schemas/core.schema', 'core.schema', { target: 'books', content: BOOKS });
await declare('/schemas/core.schema', 'core.schema', { target: 'authors', content: AUTHORS });
await declare('/schemas/core.schema', 'core.schema', {
  target: 'core.user',
  content: { properties: { attributes: { properties: { name: { type: 'string' } }, required: ['name'] } } },
});
await declare('/schemas/core.type', 'core.type', {
  name: 'authors',
  inverses: { books: { type: 'books', through: 'author' } },
  count: { written: { type: 'books', by: 'author' } },
});
await declare('/aggregates/core.aggregate', 'core.aggregate', {
  'input-type': 'books',
  'output-type': 'agt.by-year',
  pipeline: [
    { group: { id: '$year', books: { $sum: 1 } } },
    { output: { attributes: ['books'], relationships: [] } },
  ],
});

/** What the compiler says of a program that uses the types. */
async function compile(types: string, program: string): Promise<string> {
  writeFileSync(join(folder, 'types.ts'), types);
  writeFileSync(join(folder, 'program.ts'), program);
  const paths = { 'foredge/client': [join(ROOT, 'src/client/index.ts')] };
  const options = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  };
  const modules = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  const compilerOptions = {
    ...options,
    ...modules,
    allowImportingTsExtensions: true,
    isolatedModules: true,
    paths,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts', 'types.ts'] }),
  );
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  return run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe('the command', () => {
  test('prints types that hold for attributes, relationships, inverses and aggregates', async () => {
    const { stdout } = await run(
      process.execPath,
      [join(ROOT, 'scripts/app.ts'), 'types', client.application],
      {
        env: { ...process.env, FOREDGE_URL: inject('url'), OPERATOR_SECRET: inject('operatorSecret') },
      },
    );
    expect(await compile(stdout, PROGRAM)).toBe('');
    // The key that it has read with is gone.
    const keys = await client.get('/api-keys/core.api-key');
    expect(keys.body.meta.count).toBe(1);
  });
});

const PROGRAM = `
import { connect, type Decimal } from 'foredge/client';
import type { Types } from './types.ts';
const db = connect<Types>({ url: '', application: '', key: '' });

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => undefined;

export async function reads(): Promise<void> {
  const book = await db.list('books', {
    filter: {
      year: { $gt: 1890 }, 'author.name': 'Bram', 'shelf.room': 'A', published: { $lt: new Date() }, author: null,
    },
    sort: ['-year', 'author.name'],
    include: ['author', 'readers'],
    fields: ['title', '$created'],
  }).first();
  if (book === null) return;
  same<typeof book.title, string>(true);
  same<typeof book.description, string | undefined>(true);
  same<typeof book.year, number | undefined>(true);
  same<typeof book.published, Date | undefined>(true);
  same<typeof book.price, Decimal | undefined>(true);
  same<typeof book.genre, 'gothic' | 'science' | undefined>(true);
  const room: string | undefined = book.editions?.[0]?.room;
  const name: string | undefined = book.author?.name;
  const reader: unknown = book.readers?.[0]?.name;
  const about: string | undefined = book.about?.id;
  for await (const other of db.related({ type: 'authors', id: '' }, 'books', { filter: { title: 'x' } })) {
    same<typeof other.title, string>(true);
  }
  const wrote = await db.get('authors', '', { include: ['books', 'books.editions'] });
  const title: string | undefined = wrote?.$inverses?.books?.[0]?.title;
  const written: number | null | undefined = wrote?.written;
  // @ts-expect-error There is no such inverse.
  wrote?.$inverses?.boks;
  const [year] = await db.list('agt.by-year').all();
  const count: unknown = year?.books;
  void [room, name, reader, about, count, title, written];
}

export async function writes(): Promise<void> {
  const author = await db.create('authors', { name: 'Bram' });
  await db.create('books', { title: 'Dracula', author, readers: [{ type: 'core.user', id: '' }] });
  await db.create('books', { title: 'Dracula', author: null, price: undefined as unknown as Decimal });
  await db.signUp({ username: 'ada', password: 'secret', name: 'Ada' });
  const book = await db.update({ type: 'books', id: '' }, { title: 'D', year: undefined, $inc: { year: 1 } });
  if (book === null) return;
  book.author = author;
  delete book.year;
  await db.save({ ...book, title: 'E' });
  await db.link(book, 'readers', [{ type: 'core.external-user', id: '' }]);
  await db.transaction((tx) => {
    const one = tx.create('authors', { name: 'Mary' });
    tx.create('books', { title: 'Mathilda', author: one });
  });
}

export async function faults(): Promise<void> {
  // @ts-expect-error There is no such type.
  db.list('boks');
  // @ts-expect-error There is no such attribute.
  db.list('books', { filter: { titel: 'x' } });
  // @ts-expect-error The attribute is another kind of value.
  db.list('books', { filter: { year: 'x' } });
  // @ts-expect-error The linked documents have no such attribute.
  db.list('books', { filter: { 'author.nme': 'x' } });
  // @ts-expect-error There is no such field to sort by.
  db.list('books', { sort: 'titel' });
  // @ts-expect-error There is no such relationship.
  db.list('books', { include: 'writer' });
  // @ts-expect-error There is no such field to show.
  db.list('books', { fields: ['titel'] });
  // @ts-expect-error A title is required.
  await db.create('books', { author: null });
  // @ts-expect-error An author is required, or null.
  await db.create('books', { title: 'x' });
  // @ts-expect-error There is no such attribute.
  await db.create('books', { title: 'x', author: null, colour: 'red' });
  // @ts-expect-error The author is no book.
  await db.create('books', { title: 'x', author: { type: 'books', id: '' } });
  // @ts-expect-error The attribute is another kind of value.
  await db.update({ type: 'books', id: '' }, { year: '1890' });
  // @ts-expect-error There is no such operator.
  await db.update({ type: 'books', id: '' }, { $set: { year: 1 } });
  const book = await db.get('books', '');
  // @ts-expect-error The document may be gone.
  book.title;
  // @ts-expect-error Ids do not change.
  if (book !== null) book.id = '';
  // @ts-expect-error An inverse is no member.
  (await db.get('authors', ''))?.books;
}
`;

describe('a schema brings no code into what is written', () => {
  const evil = '"; } import "evil"; export const x = { y: "';
  const written: string[] = [];
  const quoted = `'; import 'evil'; /*`;
  test.each([
    ['by the name of a type', { schemas: [{ target: evil, content: AUTHORS }] }],
    ['by the name of an attribute', { schemas: [schemaOf({ [evil]: { type: 'string' }, [quoted]: {} })] }],
    [
      'by tsType',
      {
        schemas: [
          schemaOf({
            a: { type: 'string', tsType: 'string }\nimport "evil"\nexport interface Y { b: string' },
          }),
        ],
      },
    ],
    [
      'by texts',
      { schemas: [schemaOf({ a: { type: 'string', title: evil, description: '*/ import "evil"; /*' } })] },
    ],
    ['by an enum', { schemas: [schemaOf({ a: { enum: [quoted, evil, '*/'] } })] }],
    ['by a pattern', { schemas: [schemaOf({ a: { patternProperties: { '*/ import "evil"': {} } } })] }],
    ['by a counter', { settings: [{ name: 'books', count: { [evil]: {}, [quoted]: {} } }] }],
    ['by an inverse', { settings: [{ name: 'books', inverses: { [evil]: { type: quoted } } }] }],
    [
      'by an aggregate',
      { aggregates: [{ 'output-type': evil, pipeline: [{ output: { attributes: [evil] } }] }] },
    ],
    ['by a reference to a file', { schemas: [schemaOf({ a: { $ref: 'file:///etc/hostname' } })] }],
  ])('%s', async (_, declared) => {
    const text = await typesOf({ schemas: [], settings: [], aggregates: [], ...declared });
    written.push(text);
    // What is left when texts in quotes are taken out: no statement but types.
    const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '').replaceAll(/\/\*.*?\*\//gs, '');
    expect(bare).not.toMatch(/evil|import(?! type)|const/);
  });

  test('which the compiler takes', async () => {
    // One by one they would take a second each.
    expect(
      await compile(written.map((text, index) => `namespace N${index} {\n${text}\n}`).join('\n'), ''),
    ).toBe('');
  });

  function schemaOf(properties: object) {
    return { target: 'things', content: { properties: { attributes: { properties } } } };
  }
});
