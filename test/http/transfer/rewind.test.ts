/** An application goes back to a moment (docs/backups.md), on an imitation of the platform's point-in-time recovery. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { OwnService, SECRETS, workerNamed } from '../../support/own-service.ts';
import { logIn, makeUser, may, PASSWORD, tokenOf } from '../../support/people.ts';

const ENTRY = workerNamed('rewinding');
const nameOf = (time: number) => `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
const rewind = (url: string, secret: string, id: string, name = nameOf(Date.now())) =>
  fetch(`${url}/applications/core.application/${id}/history/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
  });

describe('an application that goes back', () => {
  let own: OwnService;
  let client: Client;
  beforeAll(async () => {
    own = await OwnService.start({ entry: ENTRY, settings: { SESSION_LEASE: '200' } });
    client = await own.newClient('back');
  });
  afterAll(() => own.stop());

  test('has what it had, in all collections; what was seen since holds for nothing', async () => {
    const note = await client.make('note', { n: 1 });
    const gone = await client.make('note', { n: 2 });
    const key = await client.withPermissions([may('get', '.*')]);
    const ada = await makeUser(client, 'ada');
    const at = (id: string) => `/resources/note/${id}`;
    const before = await client.get('/resources/note?sort=n');
    await client.get('/resources/note/changes');
    await fetch(`${own.url}/test/remember`, { method: 'POST' });

    const data = { type: 'note', id: note.id, attributes: { n: 3 } };
    const changed = await client.patch(at(note.id), { data });
    const deleted = await client.delete(at(gone.id));
    const late = await client.make('note', { n: 4 });
    const feed = (await client.get('/resources/note/changes')).body.meta['mark'];
    const later = await client.make('later', { n: 5 });
    const lateKey = await client.withPermissions([may('get', '.*')]);
    const token = tokenOf(await logIn(client, 'ada', PASSWORD));
    expect([changed.status, deleted.status, (await lateKey.get('/resources/note')).status]).toEqual([
      200, 204, 200,
    ]);

    const answer = await rewind(own.url, SECRETS.OPERATOR_SECRET, client.application);
    expect(answer.status).toBe(200);

    const after = await client.get('/resources/note?sort=n');
    expect(after.body.data).toEqual(before.body.data);
    expect((await client.get(at(late.id))).status).toBe(404);
    expect((await client.get(`/resources/later/${later.id}`)).status).toBe(404);
    // A reader of the feed that has seen what is gone must begin anew.
    const on = await client.get(`/resources/note/changes?changes[since]=${String(feed)}`);
    expect([on.status, on.body.errors[0]?.code]).toEqual([410, 'mark-expired']);
    // Keys are those of then.
    expect([
      (await key.get('/resources/note')).status,
      (await lateKey.get('/resources/note')).status,
    ]).toEqual([200, 401]);
    // Neither tags of the time that is gone, nor its tokens.
    expect((await client.get(at(note.id), { 'if-none-match': changed.etag })).status).toBe(200);
    expect((await client.patch(at(note.id), { data }, { 'if-match': changed.etag })).status).toBe(412);
    expect((await client.get(at(note.id), { 'if-none-match': before.etag })).status).toBe(200);
    const again = tokenOf(await logIn(client, 'ada', PASSWORD));
    const me = await client.get('/users/core.user/me', token);
    expect(me.status).toBe(401);
    expect((await client.get('/users/core.user/me', again)).body.data.id).toBe(ada.link.id);
    // Writes go on, types of later included.
    expect((await client.patch(at(note.id), { data })).status).toBe(200);
    await client.make('later', { n: 6 });
    expect((await client.get('/resources/later')).body.data).toHaveLength(1);
  });
});

describe('is refused, and nothing is changed', () => {
  test.each([
    ['a moment that is none', 'soon', 404],
    ['a moment to come', nameOf(Date.now() + 3_600_000), 404],
    ['a moment of more than 30 days ago', nameOf(Date.now() - 31 * 86_400_000), 404],
    ['any moment on one machine, which keeps no past', nameOf(Date.now() - 1_000), 404],
  ])('%s', async (_, name, status) => {
    const client = await Client.create('refused');
    await client.make('note', { n: 1 });
    const answer = await rewind(inject('url'), inject('operatorSecret'), client.application, name);
    expect(answer.status).toBe(status);
    await client.make('note', { n: 2 });
  });

  test('without the operator secret', async () => {
    const { application } = await Client.create('refused');
    expect((await rewind(inject('url'), 'x', application)).status).toBe(401);
    expect((await rewind(inject('url'), inject('operatorSecret'), 'f'.repeat(24))).status).toBe(404);
  });
});
