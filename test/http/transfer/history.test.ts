/** Exports with former versions, and imports that bring them back (docs/moving.md). */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, pathOf, type Link, type Reply } from '../../support/client.ts';
import { useHistoryUsers } from '../../support/history-users.ts';
import { change, listed, restore, versionOf, versionsOf } from '../../support/history.ts';
import { grant } from '../../support/people.ts';
import { exportAs, importOf, newFile } from '../../support/transfer-files.ts';
import { exported, imported } from '../../support/transfer.ts';
import { settle } from '../../support/type-settings.ts';

const world = useHistoryUsers();

const linesIn = (text: string) => text.split('\n').slice(0, -1);
const trashOf = (by: Client, type: string, headers = {}) =>
  by.get(`/resources/${type}?deleted=true&fields[${type}]=name`, headers);
const counted = ({ status, body }: Reply) => [status, body.meta];

/** An application with a history of the type, and what was imported. */
async function copyOf(type: string, text: string, history: unknown = 'forever'): Promise<Client> {
  const copy = await Client.create('copy');
  await settle(copy, { name: type, history });
  const taken = await imported(copy.application, type, text);
  if (taken.status !== 200) throw new Error(taken.text);
  return copy;
}

/** What can be read of the past of some documents. */
async function pastOf(client: Client, documents: readonly Link[]) {
  const past: unknown[] = [];
  for (const document of documents) {
    const list = await versionsOf(client, document, {}, '?page[size]=100');
    past.push(list.body.data);
    for (const { attributes } of list.body.data) {
      past.push((await versionOf(client, document, Number(attributes?.['number']))).body);
      const at = encodeURIComponent(String(attributes?.['at']));
      past.push((await client.get(`${pathOf(document)}?at=${at}`)).body);
    }
  }
  return past;
}

test('an export has the deletions of its moment, and their history, though restores end them', async () => {
  const { client, ada } = world;
  const type = await world.newType();
  const [kept, gone] = [await client.make(type, { name: 'kept' }), await client.make(type, { name: 'gone' })];
  await grant(client, pathOf(gone), { read: [ada.link] });
  await client.delete(pathOf(gone));
  const before = await exported(client.application, type, { history: true });
  // What is there then is no deletion, though a restore brings it back.
  const steps = [
    () => restore(client, gone, 1),
    () => client.delete(pathOf(gone)),
    () => client.delete(pathOf(kept)),
    () => restore(client, kept, 1),
    () => restore(client, gone, 1),
  ];
  const between = async () => {
    for (const step of steps.splice(0)) expect((await step()).status).toBeLessThan(300);
  };
  expect(await exported(client.application, type, { size: 1, history: true, between })).toBe(before);
});

describe('an export with history', () => {
  let type: string;
  let living: Link;
  let deleted: Link;
  let revived: Link;
  let text: string;
  let copy: Client;
  beforeAll(async () => {
    const { client, ada } = world;
    type = await world.newType();
    living = await client.make(type, { name: 'a', at: { $date: '2026-01-01T00:00:00Z' } });
    await grant(client, pathOf(living), { update: [ada.link] });
    await change(world.acl, living, { name: 'b' }, ada.headers);
    await client.patch(`${pathOf(living)}/relationships/next`, { data: living });
    await change(client, living, { name: 'c' });
    deleted = await client.make(type, { name: 'gone' });
    await grant(client, pathOf(deleted), { read: [ada.link] });
    await change(client, deleted, { name: 'gone soon' });
    await client.delete(pathOf(deleted));
    revived = await client.make(type, { name: 'twice' });
    await client.delete(pathOf(revived));
    await restore(client, revived, 1);
    text = await exported(client.application, type, { history: true });
    copy = await copyOf(type, text);
  });

  test('has a line for each version, with the document before it, and then what every export has', async () => {
    const lines = linesIn(text);
    const plain = linesIn(await exported(world.client.application, type));
    expect(lines.slice(-plain.length)).toEqual(plain);
    const versions = lines.slice(0, -plain.length).map((line) => JSON.parse(line) as Link & { meta: object });
    expect(versions.map(({ id }) => id).filter((id) => id === living.id)).toHaveLength(4);
    expect(versions.slice(0, 2)).toMatchObject([
      { meta: { history: { number: 1, change: 'create', user: null } } },
      { attributes: { name: 'a' }, meta: { history: { number: 2, change: 'update', user: world.ada.link } } },
    ]);
    expect(versions[0]).not.toHaveProperty('attributes');
  });

  test('lets another application answer for the past as this one does', async () => {
    const all = [living, deleted, revived];
    expect(await pastOf(copy, all)).toEqual(await pastOf(world.client, all));
    expect(listed(await versionsOf(copy, revived))).toEqual(['3 restore', '2 delete', '1 create']);
  });

  test('brings the trash, and who sees it', async () => {
    const [was, is] = [await trashOf(world.client, type), await trashOf(copy, type)];
    expect(is.body.data).toEqual(was.body.data);
    expect(is.body.data.map(({ id }) => id)).toEqual([deleted.id]);
  });

  test('is the same to the byte when it is made of what was imported', async () => {
    expect(await exported(copy.application, type, { history: true })).toBe(text);
  });

  test('stores nothing when it is imported again', async () => {
    const again = await imported(copy.application, type, text);
    expect(counted(again)).toMatchObject([200, { stored: 0, unchanged: linesIn(text).length }]);
  });

  test('comes in pages of one moment, whatever is written meanwhile', async () => {
    const { client } = world;
    const other = await world.newType();
    const document = await client.make(other, { name: 'a' });
    await change(client, document, { name: 'b' });
    const whole = await exported(client.application, other, { history: true });
    let n = 0;
    const between = async () => {
      await change(client, document, { name: `later ${(n += 1)}` });
    };
    expect(await exported(client.application, other, { history: true, size: 1, between })).toBe(whole);
    expect(n).toBe(2);
  });

  test('may be imported in parts: versions are not there before their document', async () => {
    const again = await Client.create('parts');
    await settle(again, { name: type, history: 'forever' });
    for (const [at, line] of linesIn(text).entries()) {
      expect((await imported(again.application, type, `${line}\n`)).status).toBe(200);
      if (at === 1) expect((await versionsOf(again, living)).status).toBe(404);
    }
    expect(await pastOf(again, [living, deleted])).toEqual(await pastOf(world.client, [living, deleted]));
  });

  describe('once it is imported', () => {
    test('versions can be restored, and changes go on from them', async () => {
      const made = await copyOf(type, text);
      expect((await restore(made, living, 2)).body.data.attributes).toMatchObject({ name: 'b' });
      expect(listed(await versionsOf(made, living)).slice(0, 2)).toEqual(['5 restore', '4 update']);
      expect((await restore(made, deleted, 2)).body.data.attributes).toEqual({ name: 'gone soon' });
      // Where it was in lists was not told.
      const ids = (await made.get(`/resources/${type}`)).body.data.map(({ id }) => id);
      expect(ids).toEqual([living.id, revived.id, deleted.id]);
      const plain = linesIn(await exported(made.application, type));
      expect(plain.some((line) => line.includes(deleted.id))).toBe(true);
    });

    test('the setting says what is kept of it', async () => {
      const few = await copyOf(type, text, { versions: 2 });
      expect(listed(await versionsOf(few, living))).toEqual(['4 update', '3 relationships', '2 update']);
    });
  });

  test('is refused by a type without a history, line by line', async () => {
    const plain = await Client.create('plain');
    const refused = await imported(plain.application, type, linesIn(text).slice(0, 1));
    expect(refused.body.errors).toMatchObject([
      { code: 'line-refused', source: { pointer: '/meta/history' }, meta: { line: 1, code: 'invalid-body' } },
    ]);
  });

  test.each([
    ['an array', []],
    ['no number', { change: 'update', at: '2026-01-01T00:00:00Z' }],
    ['a number below 1', { number: 0, change: 'update', at: '2026-01-01T00:00:00Z' }],
    ['another change', { number: 1, change: 'rewrite', at: '2026-01-01T00:00:00Z' }],
    ['no time', { number: 1, change: 'update', at: 'yesterday' }],
    ['no user', { number: 1, change: 'update', at: '2026-01-01T00:00:00Z', user: 'ada' }],
    ['no key', { number: 1, change: 'update', at: '2026-01-01T00:00:00Z', key: 5 }],
  ])('whose meta has %s is refused', async (_, history) => {
    const line = JSON.stringify({ type, id: '6b011e2f6aeea231a557b680', meta: { history } });
    const refused = await imported(copy.application, type, [line]);
    expect(refused.body.errors).toMatchObject([{ source: { pointer: '/meta/history' } }]);
  });

  test('is for who asks with history=true', async () => {
    const { application } = world.client;
    const asked = await exported(application, type);
    expect(asked).not.toContain('"history"');
    const file = newFile('with-history.ndjson');
    await exportAs(file, { application, type: null, history: true });
    expect(readFileSync(file, 'utf8')).toContain(text);
    const into = await Client.create('whole');
    const report = await importOf(file, { into: into.application });
    expect(report).toMatchObject({ refused: 0, whole: true });
    // The settings come first, so that the type has a history once its versions come.
    expect(await pastOf(into, [living, deleted])).toEqual(await pastOf(world.client, [living, deleted]));
  });
});
