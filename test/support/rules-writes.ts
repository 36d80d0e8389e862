/** The law of rules for writes: every way to write, by one viewer, against the model. */
import { expect } from 'vitest';
import { type Link, type Reply } from './client.ts';
import { operateWith, type Results } from './operations.ts';
import { contentOf, holds, linksOf, mayUse, nOf, shownOf, type Drafted, type Known } from './rules-model.ts';
import type { RulesWorld } from './rules-world.ts';

export interface Write {
  readonly at: number;
  readonly other: number;
  readonly to: Drafted;
  readonly way: number;
}

/** What a write is about. */
interface Turn {
  readonly world: RulesWorld;
  readonly number: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly before: readonly Known[];
  readonly target: Known;
  readonly other: Known;
  readonly content: ReturnType<typeof contentOf>;
  readonly to: Drafted;
}

/** A request, and whether it must be done; `after` is what it leaves of the target. */
interface Sent {
  readonly send: () => Promise<Reply>;
  readonly allowed: boolean;
  readonly after?: Known | null;
}

type Way = (turn: Turn) => Sent;

const attributes = (document: Known, change: object): Known => ({
  ...document,
  attributes: { ...document.attributes, ...change },
});
const linked = (document: Known, data: Link | Link[] | null): Known => ({
  ...document,
  relationships: { ...document.relationships, by: { data, links: { self: '', related: '' } } },
});
const pathOf = ({ world, target }: Turn) => `${world.base}/${target.id}`;
const dataOf = ({ world }: Turn, { id }: Link, rest: object) => ({ type: world.type, id, ...rest });

/** Whether a change that writes some fields is done. */
function may({ world, number }: Turn, before: Known, after: Known, ...fields: readonly string[]): boolean {
  return (
    mayUse(world.setting.write, ...fields) && world.reaches(number, before) && world.mayLeave(number, after)
  );
}

function operate({ world, headers }: Turn, operations: readonly object[], meta?: object): Promise<Results> {
  return operateWith(world.web, { 'atomic:operations': operations, ...(meta && { meta }) }, headers);
}

const update = (turn: Turn, document: Link, change: object) => ({
  op: 'update',
  data: dataOf(turn, document, { attributes: change }),
});

const patched: Way = (turn) => {
  const { n, open, owner } = turn.content.attributes;
  const change = turn.to.past ? { n, open } : { owner };
  const after = attributes(turn.target, change);
  return {
    send: () =>
      turn.world.web.patch(
        pathOf(turn),
        { data: dataOf(turn, turn.target, { attributes: change }) },
        turn.headers,
      ),
    allowed: may(turn, turn.target, after, ...Object.keys(change)),
    after,
  };
};

const counted: Way = (turn) => {
  const after = attributes(turn.target, { n: (nOf(turn.target) ?? 0) + 1 });
  const meta = { update: { $inc: { n: 1 } } };
  return {
    send: () =>
      turn.world.web.patch(pathOf(turn), { data: dataOf(turn, turn.target, { meta }) }, turn.headers),
    allowed: mayUse(turn.world.setting.read, 'n') && may(turn, turn.target, after, 'n'),
    after,
  };
};

const relinked =
  (method: 'patch' | 'post' | 'delete'): Way =>
  (turn) => {
    const { data } = turn.content.relationships.by;
    const given = data === null ? [] : [data];
    const had = linksOf(turn.target, 'by');
    const isGiven = ({ id }: Link) => given.some((each) => each.id === id);
    const value = {
      patch: data,
      post: [...had, ...given.filter(({ id }) => !had.some((each) => each.id === id))],
      delete: had.filter((link) => !isGiven(link)),
    }[method];
    const after = linked(turn.target, value);
    return {
      send: () =>
        turn.world.web[method](
          `${pathOf(turn)}/relationships/by`,
          { data: method === 'patch' ? data : given },
          turn.headers,
        ),
      allowed: may(turn, turn.target, after, 'by'),
    };
  };

/** The new document of a create, as a trusted service would see it. */
function createdBy({ world, number, content }: Turn): Known {
  const { $date: at } = content.attributes.at;
  return {
    ...linked(
      { type: world.type, id: '', links: { self: '' }, attributes: { ...content.attributes, at } },
      content.relationships.by.data,
    ),
    meta: { creator: (world.asksWho && world.viewers[number]?.person.link) || null },
  };
}

const created =
  (way: 'post' | 'operation'): Way =>
  (turn) => {
    const { world, number, content, headers } = turn;
    const { relationships, attributes: all } = content;
    // Some creates name every field, others a few: `write` may refuse either.
    const names = turn.to.past ? [...Object.keys(all), 'by'] : ['n', 'by'];
    const sent = { attributes: turn.to.past ? all : { n: all.n }, relationships: { by: relationships.by } };
    const whole = createdBy(turn);
    const after: Known = { ...whole, attributes: turn.to.past ? { ...whole.attributes } : { n: all.n } };
    const data = { type: world.type, ...sent };
    return {
      send: async () => {
        const listed = way === 'operation' ? await operate(turn, [{ op: 'add', data }]) : null;
        const reply = listed ?? (await world.web.post(world.base, { data }, headers));
        const id = reply.status < 400 ? (listed?.results[0]?.data ?? reply.body.data).id : '';
        if (id !== '') world.holders.set(id, new Set([number]));
        return reply;
      },
      allowed: mayUse(world.setting.write, ...names) && world.mayLeave(number, after),
    };
  };

const removed =
  (way: 'delete' | 'operation'): Way =>
  (turn) => ({
    send: () =>
      way === 'delete'
        ? turn.world.web.delete(pathOf(turn), undefined, turn.headers)
        : operate(turn, [{ op: 'remove', ref: dataOf(turn, turn.target, {}) }]),
    allowed: turn.world.reaches(turn.number, turn.target),
  });

/** Two changes together: both or none. The second may be of the same document. */
const together: Way = (turn) => {
  const { target, other, to } = turn;
  const first = attributes(target, { open: to.open });
  const former = other.id === target.id ? first : other;
  const second = attributes(former, { n: to.n });
  return {
    send: () => operate(turn, [update(turn, target, { open: to.open }), update(turn, other, { n: to.n })]),
    allowed: may(turn, target, first, 'open') && may(turn, former, second, 'n'),
  };
};

const rights: Way = (turn) => {
  const { world, target } = turn;
  const type = `${world.type}.acl`;
  const read = [...(world.holders.get(target.id) ?? [])].flatMap(
    (each) => world.viewers[each]?.person.link ?? [],
  );
  const data = { type, id: target.id, attributes: { read } };
  return {
    send: () =>
      turn.to.open
        ? world.web.patch(`/resources/${type}/${target.id}`, { data }, turn.headers)
        : operate(turn, [{ op: 'update', data }]),
    allowed: may(turn, target, target, '$acl'),
  };
};

const single: readonly Way[] = [
  patched,
  counted,
  relinked('patch'),
  relinked('post'),
  relinked('delete'),
  created('post'),
  created('operation'),
  removed('delete'),
  removed('operation'),
  together,
  rights,
];

/** Three changes, each for itself. */
async function goingOn(turn: Turn): Promise<void> {
  const { target, other, to, world } = turn;
  // The fields of a permission are asked of the whole list, before any of it.
  if (!mayUse(world.setting.write, 'open', 'n')) return;
  let state = new Map(turn.before.map((each) => [each.id, each]));
  const results = [
    { document: target, change: { open: to.open } },
    { document: other, change: { n: to.n } },
    { document: target, change: { n: to.by } },
  ].map(({ document, change }) => {
    const former = state.get(document.id) ?? document;
    const after = attributes(former, change);
    const allowed = may(turn, former, after);
    if (allowed) state = new Map([...state, [document.id, after]]);
    return { operation: update(turn, document, change), allowed };
  });
  const reply = await operate(
    turn,
    results.map(({ operation }) => operation),
    { atomic: false },
  );
  expect(reply.results.map(({ meta }) => meta?.errors === undefined)).toEqual(
    results.map(({ allowed }) => allowed),
  );
  expect((await world.all()).map((each) => each.attributes)).toEqual(
    turn.before.map(({ id }) => state.get(id)?.attributes),
  );
  for (const { allowed } of results) world.seen[allowed ? 'accepted' : 'refused'] += 1;
}

/** A change, or a deletion, of all that a filter finds. */
async function many(turn: Turn, deletes: boolean): Promise<void> {
  const { world, number, to, before, headers } = turn;
  const { read, write } = world.setting;
  const filter = encodeURIComponent(JSON.stringify({ $gte: to.n }));
  const path = `${world.base}?filter[n]=${filter}`;
  const found = before.filter(
    (each) => world.reaches(number, each) && mayUse(read, 'n') && (nOf(each) ?? -1) >= to.n,
  );
  const meta = { limit: 100 };
  const reply = deletes
    ? await world.web.delete(path, { meta }, headers)
    : await world.web.patch(
        path,
        { data: { type: world.type, attributes: { open: to.open } }, meta },
        headers,
      );
  const allowed =
    deletes ||
    (mayUse(write, 'open') &&
      found.every((each) => world.mayLeave(number, attributes(each, { open: to.open }))));
  world.seen[allowed ? 'accepted' : 'refused'] += 1;
  expect([reply.status, reply.text]).toEqual([allowed ? 200 : 403, expect.any(String)]);
  const after = await world.all();
  if (!allowed) expect(after).toEqual(before);
  else {
    expect(reply.body.meta.count).toBe(found.length);
    const isFound = ({ id }: Link) => found.some((each) => each.id === id);
    if (deletes)
      expect(after.map(({ id }) => id)).toEqual(before.filter((each) => !isFound(each)).map(({ id }) => id));
    else for (const each of after) if (isFound(each)) expect(each.attributes?.['open']).toBe(to.open);
  }
}

export const WAYS_TO_WRITE = single.length + 3;

/** One write, by the viewer whose turn it is. */
export async function checkWrite(
  world: RulesWorld,
  at: number,
  { way, to, ...chosen }: Write,
): Promise<void> {
  const number = world.askers[at % world.askers.length] ?? 1;
  const before = await world.all();
  const target = before[chosen.at % before.length];
  const other = before[chosen.other % before.length];
  if (target === undefined || other === undefined) return;
  const content = contentOf(to, world.viewers, world.team, world.hub);
  const turn = { world, number, headers: world.headersOf(number), before, target, other, content, to };
  if (way === single.length) return goingOn(turn);
  // A deletion of many comes seldom, or nothing would be left.
  if (way > single.length) return many(turn, way === single.length + 2 && to.n === 4);
  const sent = single[way]?.(turn);
  if (sent === undefined) return;
  const reply = await sent.send();
  world.seen[sent.allowed ? 'accepted' : 'refused'] += 1;
  expect([way, reply.status < 400, reply.text]).toEqual([way, sent.allowed, expect.any(String)]);
  if (!sent.allowed) {
    expect(reply.status).toBe(403);
    expect(await world.all()).toEqual(before);
    return;
  }
  if (sent.after === undefined || sent.after === null) return;
  const { after } = sent;
  const stored = (await world.all()).find(({ id }) => id === after.id);
  expect(stored?.attributes).toEqual(after.attributes);
  // The answer shows what may be read now, and nothing else.
  const shows = holds(world.setting.where, after, world.viewers[number] ?? null);
  expect(reply.status).toBe(shows ? 200 : 204);
  if (shows) expect(shownOf(reply.body.data, undefined)).toEqual(shownOf(after, world.setting.read));
}
