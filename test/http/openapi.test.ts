/** The OpenAPI document: valid, whole, and of an application with its types (issue: a pleasure to use). */
import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { PROBLEMS } from '../../src/domain/problems.ts';
import type { Endpoint } from '../../src/modules/endpoint.ts';
import { Client } from '../support/client.ts';
import { compareWithOwn } from '../support/contract-check.ts';
import { Contract, type OpenApi, type Operation } from '../support/contract.ts';

compareWithOwn();

const nobody = new Client(inject('url'), '', '');

const read = async (client: Client): Promise<OpenApi> => {
  const answer = await client.get('/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return JSON.parse(answer.text) as OpenApi;
};

/** What a public validator finds wrong. */
const validated = async (document: OpenApi) => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
  return valid ? [] : errors;
};

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The schemas and examples of an operation's body and answers. */
const contentsOf = (document: OpenApi, { requestBody, responses }: Operation) =>
  [
    requestBody,
    ...Object.values(responses).map(
      ({ $ref }) => document.components.responses[$ref.split('/').at(-1) ?? ''],
    ),
  ]
    .flatMap((each) => Object.values(each?.content ?? {}))
    .filter(({ example }) => example !== undefined);

const general = await read(nobody);

describe('without credentials', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(general.openapi).toMatch(/^3\.1\./);
    expect(await validated(general)).toEqual([]);
  });

  test('is of the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(general.info.version).toBe(version);
  });

  test('has every endpoint of the table, with its parameters and answers', async () => {
    const table = await (await fetch(`${inject('url')}/test/endpoints`)).json<readonly Endpoint[]>();
    for (const { method, path, answers, body, headers = [] } of table) {
      const operation = general.paths[path]?.[method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(Object.keys(answers)));
      expect(operation?.requestBody !== undefined).toBe(body !== undefined);
      const names = operation?.parameters?.map(({ name }) => name) ?? [];
      expect(names).toEqual(expect.arrayContaining([...headers]));
    }
  });

  test.each(['/', '/openapi.json', '/health', '/profiles/extended-json', '/assets/{name}', '/docs'])(
    'has the page %s',
    (path) => {
      expect(Object.keys(general.paths[path] ?? {})).toEqual(['get']);
    },
  );

  test('has an example of every error', () => {
    expect(Object.keys(general.components.examples).sort()).toEqual(Object.keys(PROBLEMS).sort());
  });

  test('gives each operation a name of its own, a summary and a group', () => {
    const operations = operationsOf(general).map(({ operation }) => operation);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { summary, tags } of operations)
      expect([summary, tags.length]).toEqual([expect.stringMatching(/\S/), 1]);
  });

  test('has examples that satisfy their schemas', () => {
    const contract = new Contract(general);
    const wrong = operationsOf(general).flatMap(({ path, method, operation }) =>
      contentsOf(general, operation).flatMap(({ schema, example }) =>
        contract.differences(`${method} ${path}`, schema, example),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('is 304 under its tag, has the same head by HEAD, and is read only', async () => {
    const { etag } = await nobody.get('/openapi.json');
    expect((await nobody.get('/openapi.json', { 'if-none-match': etag })).status).toBe(304);
    const head = await nobody.send('HEAD', '/openapi.json');
    expect([head.status, head.etag, head.text]).toEqual([200, etag, '']);
    expect((await nobody.send('OPTIONS', '/openapi.json')).status).toBe(204);
    expect((await nobody.post('/openapi.json', {})).status).toBe(405);
  });

  test('names the address that it was asked at', () => {
    expect(general.servers).toEqual([{ url: inject('url') }]);
  });
});
