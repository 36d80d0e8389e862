/** What waits to be told when a person is erased has no name of the person when it is told (docs/operating.md). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { asOperator, type Client, type Link } from '../support/client.ts';
import { HALTING, OwnService, SECRETS } from '../support/own-service.ts';
import { linkOf, makeUser, underAcl, type Person } from '../support/people.ts';
import { Receiver, withStatus } from '../support/receiver.ts';

const APPLICATIONS = '/applications/core.application';
const TRAIL = '/audit/core.audit-entry';
const OPERATOR = asOperator(SECRETS.OPERATOR_SECRET);

let receiver: Receiver;
let service: OwnService;
let client: Client;
let acl: Client;
beforeAll(async () => {
  receiver = await Receiver.start();
  const settings = { WEBHOOKS_TO_PRIVATE: 'yes', DELIVERY_TRIES: '1' };
  service = await OwnService.start({ entry: HALTING, settings });
  ({ client } = service);
  acl = await underAcl(client);
  const path = `${APPLICATIONS}/${client.application}`;
  const data = { type: 'core.application', id: client.application, attributes: { 'audit-days': 30 } };
  expect((await client.patch(path, { data }, OPERATOR)).status).toBe(200);
});
afterEach(() => {
  receiver.reset();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const make = async (type: string, text: string, by: Client, headers = {}): Promise<Link> =>
  linkOf(await by.create(`/resources/${type}`, { attributes: { text } }, headers));

async function erase({ link: { type, id } }: Person): Promise<void> {
  const path = `${APPLICATIONS}/${client.application}/users/${type}/${id}/data`;
  const erased = await client.delete(path, undefined, OPERATOR);
  expect([erased.status, erased.body.meta['more']]).toEqual([200, false]);
}

/** The users and the documents in the entries about a type, once there are so many. */
async function entriesOf(type: string, count: number) {
  const path = `${TRAIL}?filter[target-type]=${type}&sort=at`;
  await expect.poll(async () => (await client.get(path)).body.meta.count).toBe(count);
  const { data } = (await client.get(path)).body;
  return data.map(({ attributes }) => [attributes?.['user'], attributes?.['target-id']]);
}

test('entries for the audit trail', async () => {
  await service.halt('alarm', 'hold');
  const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
  const [hers, theirs] = [
    await make('notes', 'hers', acl, ada.headers),
    await make('notes', 'theirs', acl, eve.headers),
  ];
  await erase(ada);
  await service.halt('alarm', 'free');
  expect((await entriesOf('notes', 2)).toSorted()).toEqual(
    [
      [null, hers.id],
      [eve.link, theirs.id],
    ].toSorted(),
  );
  expect((await entriesOf('core.user', 2)).map(([, id]) => id)).toEqual([null, eve.link.id]);
});

test('an entry that is on its way to the trail', async () => {
  const ann = await makeUser(client, 'ann');
  await service.halt('importLines core.audit-entry', 'hold');
  const { id } = await make('papers', 'hers', acl, ann.headers);
  await expect.poll(() => service.held()).toBeGreaterThan(0);
  const state = { isErased: false };
  const erasing = erase(ann).then(() => {
    state.isErased = true;
  });
  // It waits for the entry: without that, it would be done long before so many requests are answered.
  for (let asked = 0; asked < 200 && !state.isErased; asked += 1) await client.get('/resources/papers');
  await service.halt('importLines core.audit-entry', 'free');
  await erasing;
  expect(await entriesOf('papers', 1)).toEqual([[null, id]]);
});

test.each([
  ['what waits for a webhook', 'cards', false, false],
  ['what a webhook did not take', 'letters', true, false],
  ['what waits for a webhook, of a document deleted before', 'stamps', false, true],
  ['what a webhook did not take, of a document deleted before', 'seals', true, true],
])('%s', async (_, type, isDead, isDeleted) => {
  const attributes = { target: type, url: receiver.url(`/${type}`) };
  const hook = linkOf(await client.create('/webhooks/core.webhook', { attributes }));
  const path = `/webhooks/core.webhook/${hook.id}/deliveries`;
  const joe = await makeUser(client, `joe-${type}`);
  if (isDead) receiver.answer = withStatus(500);
  else await service.halt('alarm', 'hold');
  const [hers, others] = [await make(type, 'S3cret', acl, joe.headers), await make(type, 'open', client)];
  const counts = async () => (await client.get(path)).body.meta;
  if (isDeleted) await acl.delete(`/resources/${type}/${hers.id}`, undefined, joe.headers);
  const told = isDeleted ? 3 : 2;
  await expect.poll(counts).toMatchObject(isDead ? { waiting: 0, dead: told } : { waiting: told, dead: 0 });
  receiver.reset();
  await erase(joe);
  if (isDead) await client.post(path, { meta: { ids: '*' } });
  else await service.halt('alarm', 'free');
  const calls = await receiver.called(2, `/${type}`);
  expect(calls.map(({ body }) => [body.type, body.data.id]).toSorted()).toEqual(
    [
      [`${type}.create`, others.id],
      [`${type}.delete`, hers.id],
    ].toSorted(),
  );
  expect(calls.map(({ text }) => text).join()).not.toContain('S3cret');
  await expect.poll(counts).toMatchObject({ waiting: 0, dead: 0 });
});
