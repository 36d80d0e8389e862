/** What the tests compare answers with sees what differs from the OpenAPI document, and says it. */
import { describe, expect, test } from 'vitest';
import { Contract, type OpenApi } from '../support/contract.ts';

const json = (schema: object, examples?: object) => ({
  content: { 'application/vnd.api+json': { schema, ...(examples && { examples }) } },
});
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const response = (name: string) => ({ $ref: `#/components/responses/${name}` });

const DOCUMENT = {
  openapi: '3.1.1',
  info: { version: '1' },
  servers: [],
  paths: {
    '/things/{id}': {
      get: {
        summary: '',
        tags: [],
        operationId: 'a',
        responses: { 200: response('one'), 404: response('absent') },
      },
    },
    '/things/{type}.acl/{id}': {
      get: { summary: '', tags: [], operationId: 'b', responses: { 204: response('nothing') } },
    },
  },
  components: {
    schemas: {
      thing: object({ id: { type: 'string' } }, ['id']),
      errors: object({ errors: { type: 'array', items: { type: 'object', required: ['code'] } } }, [
        'errors',
      ]),
    },
    responses: {
      one: {
        headers: { ETag: { $ref: '#/components/headers/ETag' }, Age: {} },
        ...json({ $ref: '#/components/schemas/thing' }),
      },
      absent: json({ $ref: '#/components/schemas/errors' }, { gone: {} }),
      nothing: {},
    },
    examples: {},
  },
} as unknown as OpenApi;

const contract = new Contract(DOCUMENT);

const answer = (status: number, body?: unknown, headers: Record<string, string> = { etag: '"x"' }) => ({
  status,
  headers: new Headers({ 'content-type': 'application/vnd.api+json', ...headers }),
  text: body === undefined ? '' : JSON.stringify(body),
});
const errors = (...codes: readonly string[]) => ({ errors: codes.map((code) => ({ code })) });

describe('an answer that is as the document says has no fault', () => {
  test.each([
    ['GET', '/things/1', answer(200, { id: '1' })],
    ['HEAD', '/things/1', answer(200)],
    ['GET', '/things/1', answer(404, errors('gone'))],
    ['GET', '/things/x.acl/1', answer(204)],
    ['GET', '/things/x.acl.acl/1', answer(204)],
    ['GET', '/nowhere', answer(404, errors('not-found'))],
    ['PUT', '/things/1', answer(405, errors('method-not-allowed'))],
    ['GET', '/things/1', answer(401, errors('invalid-api-key'))],
    ['OPTIONS', '/anything', answer(204)],
  ])('%s %s', (method, path, given) => {
    expect(contract.faultsOf(method, path, given)).toEqual([]);
  });
});

describe('a difference is told', () => {
  test.each([
    [
      'a status that is not declared',
      'GET',
      '/things/1',
      answer(201, { id: '1' }),
      /answers 201 .*not declared.*`answers`/,
    ],
    [
      'a code that is not declared',
      'GET',
      '/things/1',
      answer(404, errors('gone', 'lost')),
      /404 lost.*`problems`/,
    ],
    ['a header that is missing', 'GET', '/things/1', answer(200, { id: '1' }, {}), /without the header ETag/],
    ['a member that is missing', 'GET', '/things/1', answer(200, {}), /body is not as declared.*"id"/s],
    ['a member that is not declared', 'GET', '/things/1', answer(200, { id: '1', more: 1 }), /#\/more/],
    ['a member of another kind', 'GET', '/things/1', answer(200, { id: 1 }), /#\/id.*number/s],
    ['a body where there is none', 'GET', '/things/x.acl/1', answer(204, { id: '1' }), /with a body/],
    ['a path that is not declared', 'GET', '/others', answer(200, {}), /no path and method/],
    ['a method that is not declared', 'POST', '/things/1', answer(200, {}), /no path and method/],
    ['an error of no path', 'GET', '/others', answer(409, errors('gone')), /no such operation/],
    [
      'errors of another shape',
      'GET',
      '/nowhere',
      answer(404, { error: 1, errors: [{ code: 'not-found' }] }),
      /#\/error/,
    ],
  ])('%s', (_, method, path, given, sentence) => {
    const faults = contract.faultsOf(method, path, given);
    expect(faults).toEqual([expect.stringMatching(sentence)]);
  });
});
