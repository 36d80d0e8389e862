/**
 * Clients that others' generators make of an application's OpenAPI document: they compile in strict mode, and do as it
 * says against the service, with the example of docs/schemas.md.
 */
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'orval';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/scope.ts';
import { ROOT } from '../support/started.ts';

const EVENT = {
  type: 'object',
  required: ['attributes'],
  properties: {
    attributes: {
      type: 'object',
      required: ['at'],
      properties: { at: { type: 'string', format: 'date-time' }, seats: { type: 'integer' } },
    },
  },
};

/** What each program does: with types that name every member, so that one that the document lacks does not compile. */
const STEPS = `
  const author = { type: 'writers', id: env['WRITER'] ?? '' };
  const made = await create({
    type: 'articles',
    attributes: { title: 'Dracula', price: 9.5, tags: ['old'] },
    relationships: { author: { data: author }, reviewers: { data: [] } },
  });
  // @ts-expect-error What the schema asks for is asked for when an article is made.
  const untitled = () => create({ type: 'articles', attributes: { price: 1 } });
  // @ts-expect-error So is the member that holds it.
  const bare = () => create({ type: 'articles' });
  const found = await list('{"$eq":"Dracula"}');
  const changed = await change({ type: 'articles', id: made.id, attributes: { price: 8.5 } }, made.etag);
  const stale = await change({ type: 'articles', id: made.id, attributes: { price: 7.5 } }, made.etag);
  const emptied = await change(
    { type: 'articles', id: made.id, relationships: { author: { data: null } } },
    changed.etag,
  );
  await schedule({ type: 'events', attributes: { at: { $date: '2026-11-22T09:30:00.000Z' }, seats: 12 } });
  const later = await events('{"$gt":{"$date":"2026-01-01T00:00:00.000Z"}}');
  console.log(JSON.stringify({
    title: made.title, found, changed: changed.status, stale: stale.status, emptied: emptied.status, later,
    never: [untitled, bare].length,
  }));
`;

const OPENAPI_FETCH = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi.ts';

const { env } = process;
// A list may be CSV as well: the second type says which of the two this client asks for.
const api = createClient<paths, 'application/vnd.api+json'>({
  baseUrl: env['URL'] ?? '',
  headers: { 'application-id': env['APPLICATION'] ?? '', 'api-key': env['KEY'] ?? '' },
});
type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? Content[keyof Content] extends { data: infer Data } ? Data : never
  : never;
const headers = { 'content-type': 'application/vnd.api+json' };

async function create(data: BodyOf<paths['/resources/articles']['post']>) {
  const { data: answer, error, response } = await api.POST('/resources/articles', { body: { data }, headers });
  if (answer === undefined) throw new Error(JSON.stringify(error));
  const { id, attributes } = answer.data;
  return { id, title: attributes?.title, etag: response.headers.get('etag') ?? '' };
}
async function list(title: string) {
  const { data } = await api.GET('/resources/articles', { params: { query: { filter: { title } } } });
  return data?.data.map(({ attributes }) => attributes?.price);
}
async function change(data: BodyOf<paths['/resources/articles/{id}']['patch']>, etag: string) {
  const { response } = await api.PATCH('/resources/articles/{id}', {
    params: { path: { id: data.id }, header: { 'If-Match': etag } },
    body: { data },
    headers,
  });
  return { status: response.status, etag: response.headers.get('etag') ?? '' };
}
async function schedule(data: BodyOf<paths['/resources/events']['post']>) {
  const { error } = await api.POST('/resources/events', { body: { data }, headers });
  if (error !== undefined) throw new Error(JSON.stringify(error));
}
async function events(at: string) {
  const { data } = await api.GET('/resources/events', { params: { query: { filter: { at } } } });
  return data?.data.map(({ attributes }) => attributes?.at);
}
`;

const HEY_API = `
import { client } from './made/client.gen';
import { getResourcesArticles, getResourcesEvents } from './made';
import { patchResourcesArticlesId, postResourcesArticles, postResourcesEvents } from './made';
import type { PatchResourcesArticlesIdData, PostResourcesArticlesData, PostResourcesEventsData } from './made';

const { env } = process;
client.setConfig({
  baseUrl: env['URL'] ?? '',
  headers: { 'application-id': env['APPLICATION'] ?? '', 'api-key': env['KEY'] ?? '' },
});

async function create(data: PostResourcesArticlesData['body']['data']) {
  const { data: answer, error, response } = await postResourcesArticles({ body: { data } });
  if (answer === undefined) throw new Error(JSON.stringify(error));
  const { id, attributes } = answer.data;
  return { id, title: attributes?.title, etag: response?.headers.get('etag') ?? '' };
}
async function list(title: string) {
  const { data } = await getResourcesArticles({ query: { filter: { title } } });
  return data?.data.map(({ attributes }) => attributes?.price);
}
async function change(data: PatchResourcesArticlesIdData['body']['data'], etag: string) {
  const { response } = await patchResourcesArticlesId({
    path: { id: data.id },
    headers: { 'If-Match': etag },
    body: { data },
  });
  return { status: response?.status, etag: response?.headers.get('etag') ?? '' };
}
async function schedule(data: PostResourcesEventsData['body']['data']) {
  const { error } = await postResourcesEvents({ body: { data } });
  if (error !== undefined) throw new Error(JSON.stringify(error));
}
async function events(at: string) {
  const { data } = await getResourcesEvents({ query: { filter: { at } } });
  return data?.data.map(({ attributes }) => attributes?.at);
}
`;

const ORVAL = `
import * as api from './made.ts';

const { env } = process;
const own = { 'application-id': env['APPLICATION'] ?? '', 'api-key': env['KEY'] ?? '' };

async function create(data: api.CreateResourcesArticles['data']) {
  const { status, data: answer, headers } = await api.postResourcesArticles({ data }, {}, { headers: own });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  const { id, attributes } = answer.data;
  return { id, title: attributes?.title, etag: headers.get('etag') ?? '' };
}
async function list(title: string) {
  const { status, data } = await api.getResourcesArticles({ filter: { title } }, { headers: own });
  // A list may be CSV as well, a text.
  if (status !== 200 || typeof data === 'string') throw new Error(JSON.stringify(data));
  return data.data.map(({ attributes }) => attributes?.price);
}
async function change(data: api.UpdateResourcesArticles['data'], etag: string) {
  const headers = { ...own, 'if-match': etag };
  const answer = await api.patchResourcesArticlesId(data.id, { data }, {}, { headers });
  return { status: answer.status, etag: answer.headers.get('etag') ?? '' };
}
async function schedule(data: api.CreateResourcesEvents['data']) {
  const { status, data: answer } = await api.postResourcesEvents({ data }, {}, { headers: own });
  if (status !== 201) throw new Error(JSON.stringify(answer));
}
async function events(at: string) {
  const { status, data } = await api.getResourcesEvents({ filter: { at } }, { headers: own });
  if (status !== 200 || typeof data === 'string') throw new Error(JSON.stringify(data));
  return data.data.map(({ attributes }) => attributes?.at);
}
`;

const folder = newFolder();
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
const client = await Client.create();
const page = readFileSync(join(ROOT, 'docs/schemas.md'), 'utf8');
const [, example = ''] = /```json\n(\{.*?)```/s.exec(page) ?? [];
for (const attributes of [
  (JSON.parse(example) as { readonly data: { readonly attributes: object } }).data.attributes,
  { target: 'events', content: EVENT },
])
  await addSchema(attributes);
const writer = (await client.make('writers', { name: 'Stoker' })).id;
writeFileSync(join(folder, 'openapi.json'), (await client.get('/openapi.json')).text);

async function addSchema(attributes: object): Promise<void> {
  const answer = await client.create('/schemas/core.schema', { attributes });
  expect(answer.status).toBe(201);
}

/** Compiles a program in strict mode, runs it, and returns what it prints. */
async function run(name: string, source: string): Promise<unknown> {
  const file = join(folder, name, 'program.ts');
  writeFileSync(file, `${source}${STEPS}`);
  const options = {
    strict: true,
    exactOptionalPropertyTypes: false,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
  };
  writeFileSync(
    join(folder, name, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['.'] }),
  );
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const compiled = spawnSync(process.execPath, [compiler, '-p', join(folder, name)], { encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
  const outfile = join(folder, name, 'program.mjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const env = {
    ...process.env,
    URL: client.url,
    APPLICATION: client.application,
    KEY: client.key,
    WRITER: writer,
  };
  return JSON.parse(execFileSync(process.execPath, [outfile], { env, encoding: 'utf8' }));
}

const EXPECTED = {
  title: 'Dracula',
  changed: 204,
  stale: 412,
  emptied: 204,
  later: expect.arrayContaining(['2026-11-22T09:30:00.000Z']) as unknown,
  found: expect.arrayContaining([9.5]) as unknown,
  never: 2,
};

test('openapi-typescript with openapi-fetch', async () => {
  mkdirSync(join(folder, 'fetch'));
  const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as Parameters<
    typeof openapiTS
  >[0];
  writeFileSync(join(folder, 'fetch/openapi.ts'), astToString(await openapiTS(document)));
  expect(await run('fetch', OPENAPI_FETCH)).toEqual(EXPECTED);
});

test('@hey-api/openapi-ts', async () => {
  mkdirSync(join(folder, 'hey'));
  await createClient({
    input: join(folder, 'openapi.json'),
    output: join(folder, 'hey/made'),
    logs: { level: 'silent' },
  });
  expect(await run('hey', HEY_API)).toEqual(EXPECTED);
});

test('Orval', async () => {
  mkdirSync(join(folder, 'orval'));
  await generate({
    input: join(folder, 'openapi.json'),
    output: { target: join(folder, 'orval/made.ts'), client: 'fetch', baseUrl: client.url },
  });
  expect(await run('orval', ORVAL)).toEqual(EXPECTED);
});
