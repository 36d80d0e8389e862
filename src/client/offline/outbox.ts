/**
 * The changes of an offline store, in their order: kept until the service has taken them, or the application has
 * decided about the others. What is asked of the tables within a transaction is the state of all tabs.
 */
import { ForedgeError } from '../index.ts';
import { isRefused } from '../live/pulse.ts';
import { pathOf, requestKey } from '../paths.ts';
import { storeFile, type Sending as Contents } from './contents.ts';
import { idNow, newId, saidNow } from './ids.ts';
import {
  changedBy,
  dataOfChange,
  hasAll,
  linksOf,
  NO_ONE,
  NOTHING,
  renamed,
  saidAfter,
  type Change,
  type Current,
  type Refusal,
} from './pending.ts';
import type { Storage, Tables } from './storage.ts';
import type { Answer, Link, Resource } from '../transport.ts';

/** Milliseconds for which the service knows a creation by its key, but one hour (docs/requests.md, Retries). */
const KNOWN = 23 * 3_600_000;

const MAY_BE_DONE: Refusal = {
  status: 0,
  code: 'uncertain',
  message: 'The answer did not come: it may have been created.',
};

/** What the application decides of a change that was refused: to send it in any case, to drop it, or other values. */
export type Decision = 'mine' | 'theirs' | Readonly<Record<string, unknown>>;

interface Sending extends Contents {
  /** Rejects when nothing may be sent now: then nothing counts as tried. */
  readonly guard: () => Promise<unknown>;
  /** Types whose documents may bring their ids. */
  readonly clientIds: readonly string[];
  /** The end of the API key. */
  readonly by: string;
  /** Told after each change of the tables. */
  readonly onChange: () => Promise<void>;
}

export class Outbox {
  readonly #storage: Storage;
  readonly #sending: Sending;

  constructor(storage: Storage, sending: Sending) {
    this.#storage = storage;
    this.#sending = sending;
  }

  /** Keeps a change, and gives the document's id: of a new one until the service has given it another. */
  async note(kind: Change['kind'], { type, id }: Link, values: object, blob?: Blob): Promise<string> {
    const named = await this.#storage.write(async (tables) => {
      const now = await idNow(tables, id);
      const all = await tables.all('changes');
      const own = all.filter((each) => each.type === type && each.id === now);
      const last = own.filter(isUnsent).at(-1);
      const base = await baseOf(tables, { type, id: now }, own);
      const before = last === undefined ? base.resource : changedBy(last, last.base.resource);
      if (kind !== 'create' && (before === null || last?.kind === 'delete')) {
        throw new TypeError('The store has no such document.');
      }
      const said = await saidNow(tables, values, before);
      const isTail = last?.tried === undefined && last === all.filter(isUnsent).at(-1);
      if (last === undefined || !(isTail || last.refused)) {
        const change = {
          type,
          id: now,
          kind,
          said,
          blob,
          base: last === undefined ? base : { ...NO_ONE, resource: before },
        };
        tables.put('changes', { ...change, key: requestKey() });
      } else if (kind === 'update') {
        tables.put('changes', { ...last, said: saidAfter(last.said, said) });
      } else if (last.kind === 'create') tables.delete('changes', last.seq);
      else tables.put('changes', { ...last, kind, said });
      return now;
    });
    await this.#sending.onChange();
    return named;
  }

  /** Sends what waits, in its order, but for what waits for a decision. */
  async send(): Promise<void> {
    // Documents for which there is no room, until something is deleted.
    const full = new Map<string, ForedgeError>();
    for (;;) {
      await this.#sending.guard();
      const change = await this.#storage.write(async (tables) => this.#next(tables, full));
      if (change === undefined) break;
      try {
        const { body, etag, status } = await this.#request(change);
        const resource = (body.data ?? null) as Resource | null;
        if (resource === null && status !== 204) throw new ForedgeError(status, []);
        // Whoever may change a document and not read it is not shown it.
        const now = resource ?? (change.kind === 'update' ? changedBy(change, change.base.resource) : null);
        await this.#done(change, { resource: now, etag });
        if (change.kind === 'delete') full.clear();
      } catch (error) {
        await this.#refused(change, error, full);
      }
      await this.#sending.onChange();
    }
    for (const error of full.values()) throw error;
  }

  /** Does what the application has decided of a change that was refused; what was decided before stays. */
  async resolve(key: string, decision: Decision): Promise<void> {
    await this.#storage.write(async (tables) => {
      const unsent = (await tables.all('changes')).filter(isUnsent);
      const change = unsent.find((each) => each.key === key);
      if (change?.refused === undefined) return;
      if (decision === 'theirs') {
        tables.delete('changes', change.seq);
        return;
      }
      const { refused, ...kept } = change;
      const { theirs } = refused;
      const isOther = typeof decision === 'object';
      const said = isOther
        ? await saidNow(tables, decision, theirs.resource ?? change.base.resource)
        : kept.said;
      const isGone = kept.kind === 'update' && refused.gone === true;
      const anew = changedBy({ ...kept, said }, kept.base.resource);
      // What was deleted is created anew, with an id that was of no document.
      const id = isGone ? newId() : kept.id;
      if (isGone) {
        tables.put('ids', { local: kept.id, id });
        for (const each of unsent) tables.put('changes', renamed(each, kept, id));
      }
      tables.put('changes', {
        ...kept,
        id,
        // An upload goes on.
        key: kept.blob === undefined ? requestKey() : key,
        tried: undefined,
        base: isGone || theirs.resource !== null ? theirs : { ...kept.base, etag: undefined },
        kind: isGone ? 'create' : isOther && kept.kind === 'delete' ? 'update' : kept.kind,
        said: isGone
          ? { gone: [], ...withoutLinks(anew) }
          : kept.kind === 'create'
            ? saidAfter(kept.said, said)
            : said,
      });
    });
    await this.#sending.onChange();
  }

  /** The next change that can be sent. From now on it was tried, and nothing is added to it. */
  async #next(tables: Tables, full: ReadonlyMap<string, unknown>): Promise<Change | undefined> {
    const unsent = (await tables.all('changes')).filter(isUnsent);
    const news = new Map(
      unsent.flatMap((each) => (each.kind === 'create' ? [[each.id, each] as const] : [])),
    );
    for (const change of unsent) {
      const { kind, id, refused, tried, type } = change;
      const { by, clientIds } = this.#sending;
      const links = linksOf(change).some((link) => link.id !== id && news.has(link.id));
      if (refused !== undefined || links || full.has(id)) continue;
      const isKnown = tried === undefined || ((change.by ?? by) === by && Date.now() - tried < KNOWN);
      if (kind !== 'create' || isKnown || change.blob !== undefined || clientIds.includes(type)) {
        const sent = { ...change, tried: tried ?? Date.now(), by };
        tables.put('changes', sent);
        return sent;
      }
      tables.put('changes', { ...change, refused: { ...MAY_BE_DONE, theirs: NO_ONE } });
    }
    const first = [...news.values()].find(
      (each) => isOpen(each) && !full.has(each.id) && leadsTo(each.id, each, news),
    );
    if (first === undefined) return undefined;
    linkLater(tables, first, unsent, news);
    return this.#next(tables, full);
  }

  #request(change: Change): Promise<Answer> {
    const { type, id, kind, base, key, blob } = change;
    const { request, clientIds } = this.#sending;
    if (blob !== undefined) return storeFile(this.#sending, this.#storage, change, blob);
    const data = dataOfChange(change);
    if (kind === 'create') {
      const body = { data: { ...data, ...(clientIds.includes(type) && { id }) } };
      return request('POST', pathOf(type), { body, headers: { 'idempotency-key': key } });
    }
    const headers = { 'if-match': base.etag, prefer: 'return=representation' };
    if (kind === 'delete') return request('DELETE', pathOf(type, id), { headers: { 'if-match': base.etag } });
    return request('PATCH', pathOf(type, id), { body: { data }, headers });
  }

  /** The service has taken a change: what comes after it is on top of the answer. */
  async #done(change: Change, done: Current): Promise<void> {
    const { seq, id, type, kind } = change;
    const now = (kind === 'create' && done.resource?.id) || id;
    await this.#storage.write(async (tables) => {
      tables.put('changes', { ...change, id: now, done, blob: undefined });
      // Copies that are not open learn it here.
      for (const row of await tables.documents('id', id)) {
        if (row.resource.type !== type) continue;
        if (done.resource === null) tables.delete('documents', [row.copy, id]);
        else tables.put('documents', { ...row, ...done, resource: done.resource });
      }
      if (now !== id) tables.put('ids', { local: id, id: now });
      for (const each of (await tables.all('changes')).filter(
        (other) => isUnsent(other) && other.seq !== seq,
      )) {
        const isSame = each.type === type && each.id === id;
        tables.put('changes', { ...renamed(each, change, now), ...(isSame && { base: done }) });
      }
    });
  }

  /** The service has refused a change, or has no room, or did not answer: then it waits, and the error is thrown. */
  async #refused(change: Change, error: unknown, full: Map<string, ForedgeError>): Promise<void> {
    const isFull = error instanceof ForedgeError && error.status === 507;
    if (!isFull && !isLasting(error)) throw error;
    const { kind, said, seq, type, id } = change;
    const { status, code, message } = error;
    const isMade = kind === 'create' && code === 'id-conflict';
    const isAsked = !isFull && (kind !== 'create' || isMade);
    const known = isAsked ? await this.#current(change) : undefined;
    const theirs = known ?? NO_ONE;
    const gone = known?.resource === null;
    const isDone =
      isMade ||
      (kind === 'delete' && gone) ||
      (kind === 'update' && status === 412 && theirs.resource !== null && hasAll(theirs.resource, said));
    if (isDone) {
      await this.#done(change, theirs);
      return;
    }
    await this.#storage.write(async (tables) => {
      const later = (await tables.all('changes')).filter(
        (each) => isUnsent(each) && each.seq > seq && each.type === type && each.id === id,
      );
      // One decision for a document.
      const all = later.reduce((so, each) => saidAfter(so, each.said), said);
      for (const each of later) tables.delete('changes', each.seq);
      const isDeleted = later.at(-1)?.kind === 'delete';
      if (isDeleted && kind === 'create') tables.delete('changes', seq);
      else {
        const answer = isFull ? { tried: undefined } : { refused: { status, code, message, theirs, gone } };
        tables.put('changes', { ...change, kind: isDeleted ? 'delete' : kind, said: all, ...answer });
        if (isFull && !isDeleted) full.set(id, error);
      }
    });
  }

  /** A document as it is: null for one that is gone; undefined where nobody says so. */
  async #current({ type, id }: Link): Promise<Current | undefined> {
    try {
      const { body, etag, status } = await this.#sending.request('GET', pathOf(type, id));
      if (body.data === undefined) throw new ForedgeError(status, []);
      return { resource: body.data as Resource | null, etag };
    } catch (error) {
      if (!isLasting(error)) throw error;
      return error.code === 'document-not-found' ? NO_ONE : undefined;
    }
  }
}

export const isUnsent = ({ done }: Change): boolean => done === undefined;

/** Whether the same would be refused later, too: a login may come back. */
const isLasting = (error: unknown): error is ForedgeError => isRefused(error) && error.status !== 401;

const isOpen = ({ refused }: Change): boolean => refused === undefined;

/** Whether a change links to a new document, by way of others that only wait. */
function leadsTo(
  id: string,
  change: Change,
  news: ReadonlyMap<string, Change>,
  seen = new Set([id]),
): boolean {
  return linksOf(change).some((link) => {
    if (link.id === id) return change.id !== id;
    const next = news.get(link.id);
    if (next === undefined || !isOpen(next) || seen.has(link.id)) return false;
    seen.add(link.id);
    return leadsTo(id, next, news, seen);
  });
}

/** Of creations that wait for each other, one goes without its links to new documents: these follow. */
function linkLater(
  tables: Tables,
  change: Change,
  unsent: readonly Change[],
  news: ReadonlyMap<string, Change>,
): void {
  const { type, id, said, seq } = change;
  const links = Object.entries(said.relationships);
  const waits = ({ id: to }: Link) => to !== id && news.has(to);
  const isLater = ([, { data }]: (typeof links)[number]) => [data ?? []].flat().some(waits);
  const cut = {
    ...change,
    said: { ...said, relationships: Object.fromEntries(links.filter((each) => !isLater(each))) },
  };
  const later = { ...NOTHING, relationships: Object.fromEntries(links.filter(isLater)) };
  tables.put('changes', cut);
  const next = unsent.find((each) => each.seq > seq && each.type === type && each.id === id);
  if (next?.kind === 'update') tables.put('changes', { ...next, said: saidAfter(later, next.said) });
  else if (next === undefined) {
    const base = { ...NO_ONE, resource: changedBy(cut, null) };
    tables.put('changes', { type, id, kind: 'update', said: later, base, key: requestKey() });
  }
}

/** What a change of a document is made on top of: the answer to the last that was sent, or what the copies have. */
async function baseOf(tables: Tables, { type, id }: Link, own: readonly Change[]): Promise<Current> {
  const done = own.filter((each) => !isUnsent(each)).at(-1)?.done;
  if (done !== undefined) return done;
  // A copy that is kept and not open has what was there when it was.
  const [stored] = (await tables.documents('id', id))
    .filter(({ resource }) => resource.type === type)
    .sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
  return stored === undefined ? NO_ONE : { resource: stored.resource, etag: stored.etag };
}

const withoutLinks = ({ attributes = {}, relationships = {} }: Resource) => ({
  attributes,
  relationships: Object.fromEntries(
    Object.entries(relationships).map(([name, { data = null }]) => [name, { data }]),
  ),
});
