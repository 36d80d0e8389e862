/** What a request does tells nobody who has an account (docs/accounts.md#actions): calls, look-ups, copies, writes. */
import { expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, confirmed, redeem, setAccounts, signUp } from '../support/accounts.ts';
import { counts, type Reply } from '../support/client.ts';
import { logIn, PASSWORD } from '../support/people.ts';
import { counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';
import { until } from '../support/started.ts';

const service = await newService(counted({ MAILBOX: 'yes' }));
const { client } = service;
const web = await client.withPermissions(ACCOUNTS_KEY);
await setAccounts(client, {
  ...{ 'sign-up': 'open', 'log-in-by-mail': true, 'erase-by-mail': true },
  'return-to': ['https://shop.example/'],
});
await confirmed(client, web, 'known', PASSWORD);
expect((await logIn(web, 'known@shop.example', PASSWORD)).status).toBe(201);

interface Used {
  readonly name: string;
  readonly 'rows-written': number;
}

async function rowsWritten(isOf: (name: string) => boolean = () => true): Promise<number> {
  const { meta } = (await service.operator.ask('GET', `/${client.application}/usage`)) as {
    readonly meta: { readonly types: readonly Used[] };
  };
  return meta.types.filter(({ name }) => isOf(name)).reduce((sum, each) => sum + each['rows-written'], 0);
}

/** What the object of actions writes for a request and for its mail, at least: at times it tidies, too. */
async function written(ask: () => Promise<Reply>, times = 3): Promise<number> {
  const rows = () => rowsWritten((name) => name === 'core.account-action');
  const before = await rows();
  expect((await ask()).status).toBe(201);
  const mails = async () => (await client.get('/users/core.mail/deliveries')).body.meta;
  await until('no mail waits', async () => (await mails())['waiting'] === 0);
  const more = (await rows()) - before;
  return times === 1 ? more : Math.min(more, await written(ask, times - 1));
}

await signUp(web, { username: 'claims', email: 'claimed@shop.example', password: PASSWORD });
const delivered: number[] = [];
for (const username of ['nobody', 'claims'])
  delivered.push(await written(() => begin(web, { kind: 'confirm-address', username })));
// From here on, what is done after the answer is not counted.
await fetch(`${service.url}/test/silence`);

test('a mail writes as much where actions are as none', () => {
  expect(delivered[0]).toBe(delivered[1]);
});

/** What a request does until it is answered. */
async function workOf(ask: () => Promise<Reply>) {
  const [rows, before] = [await rowsWritten(), await counts(service.url)];
  const { status } = await ask();
  const after = await counts(service.url);
  const [calls, lookups, writes] = (['calls', 'lookups', 'writes'] as const).map(
    (name) => after[name] - before[name],
  );
  return { status, calls, lookups, writes, rows: (await rowsWritten()) - rows };
}

let last = 0;
const actions = ['log-in', 'reset-password', 'erase'] as const;

test.each<[what: string, status: number, ask: (name: string, email: string) => Promise<Reply>]>([
  ...actions.map((kind): [string, number, (name: string, email: string) => Promise<Reply>] => [
    `a request for ${kind}`,
    201,
    (_, email) => begin(web, { kind, email }),
  ]),
  ['a request for a confirmation', 201, (username) => begin(web, { kind: 'confirm-address', username })],
  ['a login', 401, (_, email) => logIn(web, email, 'a wrong guess')],
  [
    'a sign-up',
    201,
    (_, email) => signUp(web, { username: `fresh${(last += 1)}`, password: PASSWORD, email }),
  ],
])('%s does as much for an address that somebody has as for another', async (_, status, ask) => {
  const asked = (name: string) => workOf(() => ask(name, `${name}@shop.example`));
  // The first one teaches the isolate what it keeps.
  await asked('somebody');
  const known = await asked('known');
  expect(known).toEqual(await asked('unknown'));
  expect(known).toMatchObject({ status });
});

test('a wrong code does as much for an address that somebody has as for another', async () => {
  const works: object[] = [];
  for (const name of ['somebody', 'known', 'unknown']) {
    const { id } = (await begin(web, { kind: 'log-in', email: `${name}@shop.example` })).body.data;
    works.push(await workOf(() => redeem(web, id, { code: '000000' })));
  }
  expect(works[1]).toEqual(works[2]);
});
