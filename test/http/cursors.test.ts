/**
 * Cursors are the service's own: one that was made up, changed, or taken from elsewhere is refused in the same words,
 * whatever it names. So nobody learns by cursors what may not be read.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { digestOfKey } from '../../src/query/order/ordering.ts';
import { defined } from '../support/aggregates.ts';
import { moveIn, settle, type Person } from '../support/attack.ts';
import { base64url } from '../support/base64.ts';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, may } from '../support/people.ts';

const encoded = (value: unknown) => base64url(JSON.stringify(value));

/** What an answer says, without what differs between any two requests. */
const said = ({ status, text }: Reply) => [status, text];

function cursorOf({ body }: Reply): string {
  return new URL(body.links.next ?? '').searchParams.get('page[after]') ?? '';
}

const notes = (query: string, headers?: Person['headers'], client: Client = town.web) =>
  client.get(`/resources/notes?page[size]=1&${query}`, headers ?? town.mallory.headers);

const town = await settle();
const eve = await moveIn(town.service, 'eve');
// Everybody may read these.
for (const n of [1, 2, 3, 4]) {
  const made = await town.web.create(
    '/resources/notes',
    { attributes: { title: 'public', n } },
    town.mallory.headers,
  );
  const { id } = made.body.data;
  await town.service.update(`/resources/notes.acl/${id}`, { attributes: { read: '*' } });
}

describe('a cursor that somebody made up', () => {
  test('tells neither what is there nor what it holds', async () => {
    const guesses = [
      ...[4710, 4711, 4712].map((pin) => ({ id: town.note.id, digest: digestOfKey([pin]) })),
      { id: NO_ID, digest: digestOfKey([4711]) },
      { id: town.note.id, digest: 'x' },
      { id: town.note.id, key: [[4711]] },
      { id: NO_ID, key: [[4711]] },
    ];
    const answers = await Promise.all(
      guesses.map(async (guess) => said(await notes(`sort=pin&page[after]=${encoded(guess)}`))),
    );
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(400);
  });

  test.each(['sort=pin', '', 'filter[title]="public"'])('is refused with %s', async (query) => {
    const reply = await notes(
      `${query}&page[after]=${encoded({ id: town.note.id, key: query === 'sort=pin' ? [[1]] : [] })}`,
    );
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toMatchObject([
      { code: 'invalid-parameter', source: { parameter: 'page[after]' } },
    ]);
  });
});

describe('a cursor of ours', () => {
  const LIST = 'sort=-n&filter[title]="public"';

  test('leads on, for the same list and the same user', async () => {
    const first = await notes(`${LIST}&page[after]=`);
    const second = await notes(`${LIST}&page[after]=${cursorOf(first)}`);
    expect(second.body.data.map(({ attributes }) => attributes?.['n'])).toEqual([3]);
    // With the parameters in another order it is the same list.
    const swapped = `page[after]=${cursorOf(first)}&filter[title]="public"&sort=-n`;
    expect((await notes(swapped)).body.data).toEqual(second.body.data);
  });

  test('is refused with any bit changed, and always in the same words', async () => {
    const cursor = cursorOf(await notes(`${LIST}&page[after]=`));
    const made = said(await notes(`${LIST}&page[after]=${encoded({ id: NO_ID, key: [[1]] })}`));
    const changed = Array.from(cursor, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
    });
    const forged = [...changed, cursor.slice(1), `${cursor}A`, cursor.slice(0, 20)];
    const replies = await Promise.all(forged.map((each) => notes(`${LIST}&page[after]=${each}`)));
    for (const reply of replies) expect(said(reply)).toEqual(made);
  });

  test('is refused where anything else is asked for', async () => {
    const cursor = cursorOf(await notes(`${LIST}&page[after]=`));
    const made = said(await notes(`page[after]=${encoded({ id: NO_ID, key: [] })}`));
    const after = `page[after]=${cursor}&page[size]=1`;
    const stranger = await Client.create('elsewhere');
    const replies = await Promise.all([
      notes(`sort=n&filter[title]="public"&page[after]=${cursor}`),
      notes(`sort=-pin&filter[title]="public"&page[after]=${cursor}`),
      notes(`sort=-n&filter[title]="private"&page[after]=${cursor}`),
      notes(`sort=-n&page[after]=${cursor}`),
      notes(`filter[title]="public"&page[after]=${cursor}`),
      notes(`${LIST}&page[after]=${cursor}`, eve.headers),
      notes(`${LIST}&page[after]=${cursor}`, {} as Person['headers'], town.service),
      town.web.get(`/resources/others?${LIST}&${after}`, town.mallory.headers),
      town.web.get(`/users/core.user?${LIST}&${after}`, town.mallory.headers),
      stranger.get(`/resources/notes?${LIST}&${after}`),
    ]);
    for (const reply of replies) expect(said(reply)).toEqual(made);
  });

  test.each([
    ['more', 'title,-n', 'title'],
    ['fewer', 'title', 'title,-n'],
    ['some', 'title', ''],
  ])('with %s fields of sort than the list: 400, which names the cursor', async (_, of, list) => {
    const sortedBy = (sort: string) => (sort === '' ? '' : `sort=${sort}&`);
    const cursor = cursorOf(await notes(`${sortedBy(of)}page[after]=`));
    expect(faultsOf(await notes(`${sortedBy(list)}page[after]=${cursor}`))).toEqual([
      '400 invalid-parameter ?page[after]',
    ]);
  });

  test('shows nothing of what it holds', async () => {
    const first = await town.service.get(
      '/resources/notes?sort=pin&page[after]=&page[size]=4&fields[notes]=title',
    );
    const second = await town.service.get(
      '/resources/notes?sort=-pin&page[after]=&page[size]=1&fields[notes]=title',
    );
    for (const reply of [first, second]) {
      expect(atob(cursorOf(reply).replaceAll('-', '+').replaceAll('_', '/'))).not.toMatch(/4711|\$oid|key/);
    }
  });
});

describe('a cursor at a value that is too long to be held', () => {
  const long = (letter: string) => letter.repeat(3000);
  let list: (cursor: string) => Promise<Reply>;
  let ids: string[];
  let makeList: () => Promise<void>;
  beforeAll(() => {
    makeList = async () => {
      const type = `long-${crypto.randomUUID()}`;
      ids = [];
      for (const letter of ['a', 'b', 'c']) {
        const made = await town.web.create(
          `/resources/${type}`,
          { attributes: { s: long(letter) } },
          town.mallory.headers,
        );
        ids.push(made.body.data.id);
      }
      list = (cursor) =>
        town.web.get(`/resources/${type}?sort=s&page[size]=1&page[after]=${cursor}`, town.mallory.headers);
    };
  });

  test.each<[string, (path: (suffix?: string) => string) => Promise<unknown>, boolean]>([
    ['leads on while its document stays', () => Promise.resolve(), true],
    ['is refused once its document has gone', (path) => town.service.delete(path()), false],
    [
      'is refused once its document has changed',
      (path) =>
        town.service.patch(path(), {
          data: { type: path().split('/')[2], id: ids[0], attributes: { s: long('d') } },
        }),
      false,
    ],
    [
      'is refused once its document may not be read any more',
      (path) =>
        town.service.patch(path('.acl'), {
          data: { type: `${path().split('/')[2] ?? ''}.acl`, id: ids[0], attributes: { read: [] } },
        }),
      false,
    ],
  ])('%s', async (_, between, leads) => {
    await makeList();
    const first = await list('');
    const path = (suffix = '') =>
      new URL(first.body.data[0]?.links.self ?? '').pathname.replace(/\/[^/]+$/, (id) => `${suffix}${id}`);
    const done = await between(path);
    if (done !== undefined) expect((done as Reply).status).toBeLessThan(300);
    const second = await list(cursorOf(first));
    if (leads) expect(second.body.data.map(({ id }) => id)).toEqual([ids[1]]);
    else expect(said(second)).toEqual(said(await list(encoded({ id: NO_ID, key: [[1]] }))));
  });
});

describe('the cursor of an aggregate', () => {
  test('is refused when it is made up, or of another list or user', async () => {
    const everything = await town.service.withPermissions([may('get', '/aggregates/.*', ACL)]);
    await defined(
      town.service,
      'by-n',
      'notes',
      [{ filter: { n: { $gt: '$$parameters.least' } } }, { project: { id: '$id', n: '$n' } }],
      { least: 0 },
    );
    const ask = (query: string, { headers } = town.mallory) =>
      everything.get(`/aggregates/agt.by-n?page[size]=1&${query}`, headers);
    const first = await ask('sort=n&page[after]=');
    const cursor = cursorOf(first);
    expect((await ask(`sort=n&page[after]=${cursor}`)).body.data[0]?.attributes).toEqual({ n: 2 });
    const refused = said(await ask(`sort=n&page[after]=${encoded({ key: [[1]], id: '0'.repeat(24) })}`));
    expect(refused[0]).toBe(400);
    const others = await Promise.all([
      ask(`sort=-n&page[after]=${cursor}`),
      ask(`sort=n&filter[n]=2&page[after]=${cursor}`),
      ask(`sort=n&parameters[least]=1&page[after]=${cursor}`),
      ask(`sort=n&page[after]=${cursor}`, eve),
      ask(`sort=n&page[after]=${cursor.slice(0, -2)}`),
    ]);
    for (const other of others) expect(said(other)).toEqual(refused);
  });
});
