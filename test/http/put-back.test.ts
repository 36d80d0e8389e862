/** A data folder that is put back from a copy has another past: what was promised after the copy holds no more. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { pathOf, type Client, type Resource } from '../support/client.ts';
import { stepsOf } from '../support/etags.ts';
import { feedMeta } from '../support/feed.ts';
import { grant } from '../support/people.ts';
import { clientOf, type Starts } from '../support/starts.ts';
import { newFolder, newStarts } from '../support/scope.ts';

let starts: Starts;
let copy: string;
beforeEach(async () => {
  starts = await newStarts();
  copy = newFolder();
});

/** What somebody does with a service that runs, and then it stops. */
async function during<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const started = await starts.run();
  const done = await work(clientOf(started));
  expect(await started.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  return done;
}

function saveCopy(): void {
  cpSync(starts.folder, join(copy, 'saved'), { recursive: true });
}

function putBack(): void {
  rmSync(starts.folder, { recursive: true });
  mkdirSync(starts.folder);
  cpSync(join(copy, 'saved'), starts.folder, { recursive: true });
}

/** What a reader keeps of the notes: a tag of each answer, and a mark. */
async function keep(client: Client, [note, other]: readonly [Resource, Resource]) {
  const tagOf = async (path: string) => (await client.get(path)).etag;
  return {
    note: await tagOf(pathOf(note)),
    other: await tagOf(pathOf(other)),
    list: await tagOf('/resources/notes'),
    linked: await tagOf(`${pathOf(other)}?include=note`),
    rights: await tagOf(`/resources/notes.acl/${note.id}`),
    mark: feedMeta(await client.get('/resources/notes/changes')).mark,
  };
}

/** What becomes of it: the statuses of reads, of a write that would hold, and of the feed. */
async function outcomeOf(
  client: Client,
  kept: Awaited<ReturnType<typeof keep>>,
  [note, other]: readonly [Resource, Resource],
) {
  const { since } = stepsOf(client);
  // A write that changes nothing: what is refused for its content is past its condition.
  const write = await client.patch(
    pathOf(note),
    { data: { type: 'notes', id: 'x' } },
    { 'if-match': kept.note },
  );
  return {
    note: await since(kept.note, pathOf(note)),
    other: await since(kept.other, pathOf(other)),
    list: await since(kept.list, '/resources/notes'),
    linked: await since(kept.linked, `${pathOf(other)}?include=note`),
    rights: await since(kept.rights, `/resources/notes.acl/${note.id}`),
    write: write.status,
    feed: (await client.get(`/resources/notes/changes?changes[since]=${kept.mark}`)).status,
  };
}

const ALL_HOLD = { note: 304, other: 304, list: 304, linked: 304, rights: 304, write: 409, feed: 200 };
const NONE_HOLDS = { note: 200, other: 200, list: 200, linked: 200, rights: 200, write: 412, feed: 410 };

test('tags and marks of the lost past hold no more, those before the copy do, and a start ends none', async () => {
  const [notes, first] = await during(async (client) => {
    const note = await client.make('notes', { says: 'as it was' });
    const other = await client.make('notes', { n: 0 }, { note: { data: { type: 'notes', id: note.id } } });
    const both = [note, other] as const;
    return [both, await keep(client, both)] as const;
  });
  saveCopy();
  const [note, other] = notes;
  const patch = (client: Client, { type, id }: Resource, attributes: unknown) =>
    client.update(pathOf({ type, id }), { attributes });

  const [second, born] = await during(async (client) => {
    expect(await outcomeOf(client, first, notes)).toEqual(ALL_HOLD);
    await patch(client, note, { says: 'what is lost' });
    await patch(client, other, { n: 1 });
    await grant(client, pathOf(note), { read: '*' });
    // Of another type, of which the copy knows nothing.
    await client.make('births');
    return [await keep(client, notes), feedMeta(await client.get('/resources/births/changes')).mark] as const;
  });
  putBack();

  const third = await during(async (client) => {
    expect(await outcomeOf(client, first, notes)).toEqual(ALL_HOLD);
    expect(await outcomeOf(client, second, notes)).toEqual(NONE_HOLDS);
    expect((await client.get(`/resources/births/changes?changes[since]=${born}`)).status).toBe(410);
    // As many writes as were lost, and more.
    for (let n = 0; n < 5; n += 1) await patch(client, note, { says: 'what is now', n });
    await client.make('births');
    expect((await client.get(`/resources/births/changes?changes[since]=${born}`)).status).toBe(410);
    expect(await outcomeOf(client, second, notes)).toEqual(NONE_HOLDS);
    const changed = { note: 200, list: 200, linked: 200, write: 412 };
    expect(await outcomeOf(client, first, notes)).toEqual({ ...ALL_HOLD, ...changed });
    const since = await client.get(`/resources/notes/changes?changes[since]=${first.mark}`);
    expect(since.body.data).toMatchObject([{ id: note.id, attributes: { says: 'what is now' } }]);
    return keep(client, notes);
  });

  await during(async (client) => {
    expect(await outcomeOf(client, third, notes)).toEqual(ALL_HOLD);
    expect(await outcomeOf(client, second, notes)).toEqual(NONE_HOLDS);
  });
});
