/** What an isolate served of an application: the last requests, the slowest, the day's errors (docs/operating.md). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeUser, may, underAcl } from '../support/people.ts';
import { searchPath } from '../support/search.ts';
import { callOperator } from '../support/transfer.ts';

interface Noted {
  readonly id: string;
  readonly at: string;
  readonly path: string;
  readonly status: number;
}

interface Recent {
  readonly requests: readonly Noted[];
  readonly slowest: readonly Noted[];
  readonly errors: readonly { readonly code: string; readonly count: number; readonly last: Noted }[];
}

async function recentOf({ application }: Client): Promise<Recent> {
  const { status, body, text } = await callOperator('GET', `${application}/requests`);
  expect(status, text).toBe(200);
  return body.meta as unknown as Recent;
}

const client = await Client.create('watched');
const ada = await makeUser(client, 'ada');

describe('the last requests', () => {
  test('tell key, user, type, time, status, and how a search was run, the newest first', async () => {
    const web = await underAcl(client);
    const { id } = await client.make('notes', { text: 'one' });
    const listed = await web.get(searchPath('notes', { text: 'two' }), ada.headers);
    const [last, before] = (await recentOf(client)).requests;
    expect(last).toEqual({
      id: listed.headers.get('x-request-id'),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      method: 'GET',
      path: '/resources/notes',
      type: 'notes',
      key: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      'key-name': 'a key',
      user: ada.link,
      status: 200,
      code: null,
      milliseconds: expect.any(Number) as number,
      search: {
        way: expect.any(String) as string,
        scan: expect.any(Boolean) as boolean,
        'documents-visited': expect.any(Number) as number,
        parameters: ['filter[*]'],
      },
    });
    expect(before).toMatchObject({ method: 'POST', path: '/resources/notes', user: null, search: null });
    expect(id).toMatch(/^[0-9a-f]{24}$/);
  });

  test('have the beginning of a long name of a key, and no half of a character', async () => {
    const beginning = 'k'.repeat(199);
    const name = beginning + '😀'.repeat(50_000);
    const permissions = [may('get', '/resources/notes')];
    const { client: named } = await client.newKey(permissions, { name });
    await named.get('/resources/notes');
    expect((await recentOf(client)).requests[0]).toMatchObject({ 'key-name': `${beginning}\ufffd` });
  });

  test('are a hundred, with paths and names of parameters that are cut', async () => {
    const other = await Client.create('busy');
    const name = 'n'.repeat(1_000);
    for (let count = 0; count < 60; count += 1) {
      await Promise.all([other.get('/resources/notes'), other.get(`/resources/notes?filter[${name}]=1`)]);
    }
    const { requests } = await recentOf(other);
    expect(requests).toHaveLength(100);
    expect(JSON.stringify(requests)).not.toContain(name.slice(0, 201));
  });

  test('hold no value of a query and nothing of forged keys and other applications', async () => {
    const other = await Client.create('quiet');
    await other.get(searchPath('notes', { text: 'a-secret' }));
    await new Client(other.url, other.application, `${other.key.slice(0, -4)}abcd`).get('/resources/notes');
    const recent = await recentOf(other);
    expect(recent.requests).toHaveLength(1);
    expect(recent.errors).toEqual([]);
    expect(JSON.stringify(recent)).not.toContain('a-secret');
  });
});

test('errors are counted by code, with the last of each', async () => {
  const other = await Client.create('failing');
  for (let count = 0; count < 3; count += 1) await other.get(`/resources/notes/${NO_ID}`);
  await other.get('/resources/notes?sort=');
  const { errors } = await recentOf(other);
  expect(errors).toEqual([
    { code: 'document-not-found', count: 3, last: expect.objectContaining({ status: 404 }) as Noted },
    { code: 'invalid-parameter', count: 1, last: expect.objectContaining({ status: 400 }) as Noted },
  ]);
});

test('is the operator’s alone, and of an application that there is', async () => {
  const path = `/applications/core.application/${client.application}/requests`;
  expect(faultsOf(await client.get(path))).toEqual(['401 operator-required Authorization:']);
  expect(faultsOf(await callOperator('GET', `${NO_ID}/requests`))).toEqual(['404 document-not-found']);
});
