/** Until when versions and deleted documents can be restored, as answers say it (docs/history.md#versions). */
import { describe, expect, test } from 'vitest';
import { useHistoryUsers } from '../support/history-users.ts';
import { change, versionsIn, versionsOf, type Version } from '../support/history.ts';
import { EVERY_METHOD, may } from '../support/people.ts';
import { pathOf } from '../support/client.ts';

const world = useHistoryUsers();

const DAY = 86_400_000;
const later = (at: string | undefined, days: number) =>
  new Date(Date.parse(at ?? '') + days * DAY).toISOString();
const SOON = new Date(Date.now() + 2 * DAY).toISOString();
const LATE = new Date(Date.now() + 60 * DAY).toISOString();

interface Expiring extends Version {
  readonly until?: string | null;
}

/** A document that was changed and deleted: what its versions say, the newest first, and the trash. */
async function toldOf(history: unknown) {
  const { client } = world;
  const made = await client.make(await world.newType({ history }), { n: 1 });
  await change(client, made, { n: 2 });
  const before: readonly Expiring[] = versionsIn(await versionsOf(client, made));
  await client.delete(pathOf(made));
  const versions: readonly Expiring[] = versionsIn(await versionsOf(client, made));
  const trash = await client.get(`/resources/${made.type}?deleted=true`);
  const [{ meta } = { meta: {} }] = trash.body.data as readonly { readonly meta?: { deleted?: Expiring } }[];
  return { made, before, versions, deleted: meta?.deleted };
}

describe('a version can be restored', () => {
  test.each([
    ['for its days after its end', { days: 30 }, (at?: string) => later(at, 30)],
    [
      'until then at the latest, where others may push it out',
      { days: 7, versions: 5 },
      (at?: string) => later(at, 7),
    ],
    ['for good', 'forever', () => null],
    ['until others push it out', { versions: 5 }, () => null],
    ['while a hold lasts', { days: 30, hold: LATE }, () => LATE],
    [
      'for its days, if they last longer than a hold',
      { days: 30, hold: SOON },
      (at?: string) => later(at, 30),
    ],
    ['for good, with a hold alone', { hold: SOON }, () => null],
  ])('%s', async (_, history, untilOf) => {
    const { before, versions, deleted } = await toldOf(history);
    const [end, second, first] = versions;
    expect([first?.until, second?.until]).toEqual([untilOf(second?.at), untilOf(end?.at)]);
    // Of a deletion, it is until when the document can be had back.
    expect([end?.until, deleted?.until]).toEqual([untilOf(end?.at), untilOf(end?.at)]);
    // What the document is needs no restoring.
    expect(before.map(({ until }) => until)).toEqual([null, untilOf(second?.at)]);
  });

  test.each([
    ['for the days after its date, if that is coming', { days: 30 }, ['n', 'ends'], later(SOON, 30)],
    ['for good, with a date, where all is kept', 'forever', ['n', 'ends'], null],
    ['with a date that a rule hides, as without', { days: 30 }, ['n'], null],
  ])('what the document is %s', async (_, history, read, until) => {
    const type = await world.newType({ history, expires: 'ends' });
    const made = await world.client.make(type, { n: 1, ends: { $date: SOON } });
    const reader = await world.client.withPermissions([
      may(EVERY_METHOD, '/.*', { fields: { read: [...read, '$updated'] } }),
    ]);
    const [now]: readonly Expiring[] = versionsIn(await versionsOf(reader, made));
    const one = await reader.get(`${pathOf(made)}/versions/1`);
    expect([now?.until, one.body.meta['until']]).toEqual([until, until]);
  });

  test('and each version says so itself, by its number and by a moment, of one document and of several', async () => {
    const { made, versions } = await toldOf({ days: 30 });
    const [, second] = versions;
    const { client } = world;
    const at = encodeURIComponent(second?.at ?? '');
    const ids = encodeURIComponent(JSON.stringify({ $in: [{ $oid: made.id }] }));
    const one = await client.get(`${pathOf(made)}/versions/2`);
    const then = await client.get(`${pathOf(made)}?at=${at}`);
    const list = await client.get(`/resources/${made.type}?at=${at}&filter[id]=${ids}`);
    const meta = (list.body.data as readonly { readonly meta?: { version?: Expiring } }[])[0]?.meta?.version;
    expect([one.body.meta['until'], then.body.meta['until'], meta?.until]).toEqual(
      Array(3).fill(second?.until),
    );
    expect(second?.until).not.toBeNull();
  });

  test('but nobody is told when by whom a rule hides the times from', async () => {
    const { made } = await toldOf({ days: 30 });
    const blind = await world.client.withPermissions([may(EVERY_METHOD, '/.*', { fields: { read: ['n'] } })]);
    const told = versionsIn(await versionsOf(blind, made));
    expect(told.map((each) => Object.keys(each).filter((name) => name === 'at' || name === 'until'))).toEqual(
      [[], [], []],
    );
  });
});
