/**
 * Patterns that mean harm, wherever the API takes patterns: refused, or answered within their budgets, while a second
 * client is served on the same type.
 */
import { describe, expect, test } from 'vitest';
import { define, outputsPath } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { some } from '../support/long.ts';
import { HOSTILE_PATTERNS, HOSTILE_SUBJECTS } from '../support/patterns/hostile.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { may } from '../support/people.ts';

let id = '';
const client = await Client.create();
const second = await client.withPermissions([may('get', '/resources/prey/[0-9a-f]{24}')]);
[id = ''] = await crowd(
  client,
  'prey',
  HOSTILE_SUBJECTS.map((s) => ({ s })),
);

/** The answer to a request, sent at the same time as the second client's; that one must have been served. */
async function besideAnother(request: Promise<Reply>): Promise<Reply> {
  const [reply, other] = await Promise.all([request, second.get(`/resources/prey/${id}`)]);
  expect(other.status).toBe(200);
  return reply;
}

const all = HOSTILE_PATTERNS.map(([name, pattern], index) => [name, pattern, index] as const);
/** The patterns that a place is sent: in the short form, one in sixteen. Each one alone: unit/regex-refused. */
const patternsFor = (place: number) => some(all, 16, 'whole', 4 * place);

describe('a hostile pattern in a filter', () => {
  test.each(patternsFor(0))('%s', async (_name, pattern) => {
    const reply = await besideAnother(client.get(searchPath('prey', { s: { $regex: pattern } })));
    expect([200, 400], reply.text.slice(0, 300)).toContain(reply.status);
    if (reply.status === 400) expect(reply.body.errors[0]?.code).toBe('invalid-filter');
  });
});

describe('a hostile pattern in a pipeline', () => {
  test.each(patternsFor(1))('%s', async (_name, pattern, index) => {
    const found = { $size: { $regexFindAll: { input: '$s', regex: pattern } } };
    const made = await define(client, {
      'input-type': 'prey',
      'output-type': `agt.found-${index}`,
      pipeline: [{ project: { found } }],
    });
    expect([201, 422], made.text.slice(0, 300)).toContain(made.status);
    if (made.status !== 201) return;
    const reply = await besideAnother(client.get(outputsPath(`found-${index}`)));
    expect([200, 422], reply.text.slice(0, 300)).toContain(reply.status);
    if (reply.status === 422) expect(reply.body.errors[0]?.code).toBe('pipeline-failed');
  });
});

describe('a hostile pattern in a permission', () => {
  test.each(patternsFor(2))('%s', async (_name, pattern) => {
    const path = `/resources/(?:${pattern.replace(/^\^/, '')})`;
    const attributes = { name: 'hostile', permissions: [may('get', path)] };
    const made = await client.create('/api-keys/core.api-key', { attributes });
    expect([201, 422], made.text.slice(0, 300)).toContain(made.status);
    if (made.status !== 201) return;
    const key = String(made.body.data.attributes?.['secure-id']);
    const hostile = new Client(client.url, client.application, key);
    const reply = await besideAnother(hostile.get(`/resources/${'a'.repeat(900)}${'b'.repeat(900)}!`));
    expect([403, 404], reply.text.slice(0, 300)).toContain(reply.status);
  });
});

describe('a hostile pattern in a schema', () => {
  test.each(patternsFor(3))('%s', async (_name, pattern, index) => {
    const target = `prey-${index}`;
    const content = { properties: { attributes: { properties: { s: { items: { pattern } } } } } };
    const attributes = { target, content };
    const made = await client.create('/schemas/core.schema', { attributes });
    expect([201, 422], made.text.slice(0, 300)).toContain(made.status);
    if (made.status !== 201) return;
    const document = { type: target, attributes: { s: HOSTILE_SUBJECTS } };
    const reply = await besideAnother(client.post(`/resources/${target}`, { data: document }));
    expect([201, 422], reply.text.slice(0, 300)).toContain(reply.status);
  });
});
