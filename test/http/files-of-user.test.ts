/** The setting `bytes-per-user`: how much the files of one user may take together (docs/files.md). */
import { describe, expect, test } from 'vitest';
import { Client, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { FILES, formOf, upload, uploadForm } from '../support/files.ts';
import { HeldRequest } from '../support/held-request.ts';
import { logIn, makeUser, PASSWORD, tokenOf, underAcl, type Person } from '../support/people.ts';
import { begin } from '../support/resumable.ts';
import { exportTo, importOf, newFile } from '../support/transfer-files.ts';

const FULL = '507 quota-exceeded';
const bytes = (count: number) => new Uint8Array(count).fill(65);

let people = 0;
const settle = (to: Client, most: unknown) => {
  const attributes = { name: 'core.file', 'bytes-per-user': most };
  return to.create('/schemas/core.type', { attributes });
};

const client = await Client.create('of users');
const web = await underAcl(client);
expect((await settle(client, 100)).status).toBe(201);

/** A user who has stored so many bytes. */
async function userWith(stored: number): Promise<Person> {
  const user = await makeUser(client, `user${(people += 1)}`);
  expect((await upload(web, bytes(stored), user.headers)).status).toBe(201);
  return user;
}

describe('where a user may store 100 bytes', () => {
  test('the files of each take as much, and those of nobody any number', async () => {
    const [ada, bob] = [await userWith(60), await userWith(100)];
    const refused = await upload(web, bytes(41), ada.headers);
    expect(faultsOf(refused)).toEqual([FULL]);
    expect(refused.body.errors[0]).toMatchObject({
      detail: 'A user may store files of 100 bytes together, and this one has 60.',
      meta: { quota: 'bytes-per-user' },
    });
    expect((await upload(web, bytes(40), ada.headers)).status).toBe(201);
    expect(faultsOf(await upload(web, bytes(1), ada.headers))).toEqual([FULL]);
    expect((await upload(web, bytes(0), bob.headers)).status).toBe(201);
    expect((await upload(client, bytes(101))).status).toBe(201);
  });

  test('of twenty uploads at the same time as many succeed as there is room for', async () => {
    const user = await userWith(10);
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(web, bytes(15), user.headers)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 507)).toHaveLength(14);
    expect((await upload(web, bytes(1), user.headers)).status).toBe(507);
  });

  test('what is too much is refused before it is taken', async () => {
    const user = await userWith(60);
    const held = new HeldRequest(web, 'POST', FILES, 'x'.repeat(200), {
      declared: true,
      headers: { ...user.headers, 'content-type': 'text/plain' },
    });
    expect((await held.answer()).status).toBe(507);
  });

  test('a form counts as its content, once that is stored', async () => {
    const own = await Client.create('forms');
    const page = await underAcl(own);
    const { headers } = await makeUser(own, 'ada');
    expect((await settle(own, 1_000)).status).toBe(201);
    const send = async (count: number) => {
      const form = formOf([{ name: 'content', body: bytes(count), filename: 'a' }]);
      return (await uploadForm(page, form, headers)).status;
    };
    expect([await send(600), await send(390), await send(200)]).toEqual([201, 507, 201]);
    expect((await upload(page, bytes(201), headers)).status).toBe(507);
    expect((await upload(page, bytes(200), headers)).status).toBe(201);
  });

  test('an upload that may be continued counts from its beginning until its end', async () => {
    const user = await userWith(60);
    expect((await begin(web, 41, user.headers)).status).toBe(507);
    const begun = await begin(web, 40, user.headers);
    expect(begun.status).toBe(201);
    expect((await upload(web, bytes(1), user.headers)).status).toBe(507);
    const path = new URL(begun.headers.get('location') ?? '').pathname;
    const ended = { ...user.headers, 'tus-resumable': '1.0.0' };
    expect((await web.send('DELETE', path, { headers: ended })).status).toBe(204);
    await expect.poll(async () => (await upload(web, bytes(40), user.headers)).status).toBe(201);
  });

  test('a deleted file makes room, and a smaller number takes nothing away', async () => {
    const own = await Client.create('room');
    const page = await underAcl(own);
    const ada = await makeUser(own, 'ada');
    const set = await settle(own, 100);
    const { id } = (await upload(page, bytes(80), ada.headers)).body.data;
    const data = { type: 'core.type', id: set.body.data.id, attributes: { 'bytes-per-user': 50 } };
    expect((await own.patch(`/schemas/core.type/${set.body.data.id}`, { data })).status).toBe(200);
    expect((await page.get(`${FILES}/${id}`, ada.headers)).status).toBe(200);
    expect((await upload(page, bytes(1), ada.headers)).status).toBe(507);
    await page.delete(`${FILES}/${id}`, undefined, ada.headers);
    await expect.poll(async () => (await upload(page, bytes(50), ada.headers)).status).toBe(201);
    expect((await upload(page, bytes(1), ada.headers)).status).toBe(507);
  });

  test('it is this quota that is told, also where the application has one', async () => {
    const own = await Client.create('both');
    const page = await underAcl(own);
    const { headers } = await makeUser(own, 'ada');
    await settle(own, 100);
    await operator().change(own.application, { quotas: { bytes: 50_000_000 } });
    const refused = await upload(page, bytes(101), headers);
    expect(refused.body.errors[0]?.meta?.['quota']).toBe('bytes-per-user');
    expect((await upload(page, bytes(100), headers)).status).toBe(201);
  });

  test('files that an import has brought count', async () => {
    const [from, to] = [await Client.create('from'), await Client.create('to')];
    const ada = await makeUser(from, 'ada');
    await upload(await underAcl(from), bytes(60), ada.headers);
    await settle(from, 100);
    const file = newFile('users.ndjson');
    await exportTo(file, from.application);
    await importOf(file, { into: to.application });
    const page = await underAcl(to);
    const headers = tokenOf(await logIn(to, 'ada', PASSWORD));
    expect((await upload(page, bytes(41), headers)).status).toBe(507);
    expect((await upload(page, bytes(40), headers)).status).toBe(201);
  });
});

test.each([[-1], [1.5], ['100'], [{}]])('%j bytes are no setting', async (most) => {
  const own = await Client.create('no setting');
  expect(faultsOf(await settle(own, most))).toEqual([
    '422 invalid-attribute /data/attributes/bytes-per-user',
  ]);
});

test('files alone have the setting', async () => {
  const attributes = { name: 'articles', 'bytes-per-user': 1 };
  const refused = await client.create('/schemas/core.type', { attributes });
  expect(faultsOf(refused)).toEqual(['422 invalid-attribute /data/attributes/bytes-per-user']);
});
