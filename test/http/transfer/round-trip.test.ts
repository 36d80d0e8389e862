/** What an export holds, an import makes again: all types of an application, some of everything (docs/moving.md). */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Client, secretsHere } from '../../support/client.ts';
import { ACL, logIn, may, PASSWORD } from '../../support/people.ts';
import { makeRich } from '../../support/rich-application.ts';
import { exported, imported, typesOf } from '../../support/transfer.ts';
import { COMMON, OwnService } from '../../support/own-service.ts';

/** Lines of all types with the type of each, as an export has them. */
async function linesOf(application: string, url?: string): Promise<readonly (readonly [string, string])[]> {
  const all: (readonly [string, string])[] = [];
  for (const type of await typesOf(application, url)) {
    const lines = (await exported(application, type, { ...(url !== undefined && { url }) })).split('\n');
    for (const line of lines.slice(0, -1)) all.push([type, line]);
  }
  return all;
}

async function store(
  application: string,
  lines: readonly (readonly [string, string])[],
  url?: string,
): Promise<{ stored: number; unchanged: number }> {
  const told = { stored: 0, unchanged: 0 };
  const expects = lines.map(
    ([type, line]) => `${type} ${line.slice(line.indexOf('"id":"') + 6).slice(0, 24)}`,
  );
  for (const [type, line] of lines) {
    const taken = await imported(application, type, [JSON.stringify({ import: { expects } }), line], url);
    if (taken.status !== 200) throw new Error(`${line}\n${taken.text}`);
    told.stored += Number(taken.body.meta['stored']);
    told.unchanged += Number(taken.body.meta['unchanged']);
  }
  return told;
}

const client = await Client.create('rich');
const rich = await makeRich(client);
const lines = await linesOf(client.application);

describe('an import into another application', () => {
  let other: Client;
  let first: string;
  beforeAll(async () => {
    other = await Client.create('other');
    first = (await other.get('/api-keys/core.api-key')).body.data[0]?.id ?? '';
    await store(other.application, lines);
  });

  test('has all again to the byte, beside the key that was there', async () => {
    const again = await linesOf(other.application);
    expect(again.filter(([, line]) => !line.includes(first))).toEqual(lines);
  });

  test('stores nothing when it is repeated', async () => {
    expect(await store(other.application, lines)).toEqual({ stored: 0, unchanged: lines.length });
  });

  test('shows every document and every right as before', async () => {
    for (const path of [
      `/resources/note?filter[title]=kinds`,
      `/resources/note/${rich.note.id}?include=to&fields[note]=to,title,$creator,$created,$updated`,
      `/resources/note.acl/${rich.note.id}`,
      `/resources/note.acl.acl/${rich.note.id}`,
      '/resources/owned?fields[owned]=$creator,$updated',
      '/users/core.user-group',
      '/users/core.external-user',
      '/schemas/core.schema',
      '/schemas/core.type',
      '/aggregates/core.aggregate',
      '/aggregates/agt.titles',
    ]) {
      const headers = {
        accept: `application/vnd.api+json;profile="${inject('url')}/profiles/extended-json"`,
      };
      const [was, is] = [await client.get(path, headers), await other.get(path, headers)];
      expect([path, is.status, is.text]).toEqual([path, 200, was.text]);
    }
  });

  test('lets users log in with their passwords, and counts them as members and owners', async () => {
    const login = await logIn(other, 'ada', PASSWORD);
    expect(login.status).toBe(201);
    const headers = { authorization: `Token ${String(login.body.data.attributes?.['token'])}` };
    const under = await other.withPermissions([may('get patch', '.*', ACL)]);
    expect((await under.get('/resources/owned', headers)).body.meta.count).toBe(1);
    // Only the group holds this right.
    expect((await under.get(`/resources/note.acl/${rich.note.id}`, headers)).status).toBe(200);
    // Only who could read a document learns that it was deleted.
    expect((await under.get(`/resources/note/${rich.deleted.id}`, headers)).body.data).toBeNull();
    expect((await under.get(`/users/core.user/${rich.ada.link.id}`, headers)).status).toBe(200);
  });

  test('obeys what governs the types: unique fields, schemas, unique user names', async () => {
    const of = (title: string) => ({ data: { type: 'note', attributes: { title } } });
    expect((await other.post('/resources/note', of('kinds'))).status).toBe(409);
    expect((await other.post('/resources/note', of('$'))).status).toBe(422);
    expect((await other.post('/resources/note', of('new'))).status).toBe(201);
    const ada = { type: 'core.user', attributes: { username: 'ada', password: PASSWORD } };
    expect((await other.post('/users/core.user', { data: ada })).status).toBe(409);
  });

  test('issues its keys anew: those of the other application are not its own', async () => {
    const keys = (await client.get('/api-keys/core.api-key?filter[name]=readers')).body.data;
    const secret = String(keys[0]?.attributes?.['secure-id']);
    const stranger = new Client(other.url, other.application, secret);
    expect((await stranger.get('/resources/note')).status).toBe(401);
    const own = (await other.get('/api-keys/core.api-key?filter[name]=readers')).body.data;
    const key = new Client(other.url, other.application, String(own[0]?.attributes?.['secure-id']));
    expect((await key.get('/resources/open')).status).toBe(200);
  });
});

describe('an import into another service with the same secrets', () => {
  let own: OwnService;
  beforeAll(async () => {
    // Its passwords cost what those of the common service do.
    own = await OwnService.start({ entry: COMMON, secrets: secretsHere() });
    const { application } = client;
    const line = { type: 'core.application', id: application, attributes: { name: 'rich' } };
    await store(application, [['core.application', JSON.stringify(line)], ...lines], own.url);
  });
  afterAll(() => own.stop());

  test('is the same to the byte', async () => {
    expect(await linesOf(client.application, own.url)).toEqual(lines);
  });

  test('takes the keys of the application as they were', async () => {
    const same = new Client(own.url, client.application, client.key);
    expect((await same.get('/resources/note')).status).toBe(200);
    expect((await logIn(same, 'ada', PASSWORD)).status).toBe(201);
  });

  test('takes no entity tag from before for a document that may have changed since', async () => {
    const { etag } = await client.get(`/resources/note/${rich.note.id}`);
    const same = new Client(own.url, client.application, client.key);
    const data = { ...rich.note, attributes: { title: 'changed' } };
    const path = `/resources/note/${rich.note.id}`;
    expect((await same.patch(path, { data }, { 'if-match': etag })).status).toBe(412);
    expect((await same.get(path, { 'if-none-match': etag })).status).toBe(200);
  });
});
