/**
 * Erases what a collection has of a person (docs/operating.md): their documents are deleted, and their name is taken
 * out of all others, of tombstones, of kept outcomes and of the log. In steps, between which others are served; what is
 * done is done, so it may be repeated after a crash.
 */
import { ok } from '../../../domain/problems.ts';
import { aclOf } from '../../storage/documents/rights.ts';
import { ownerOf } from '../../../domain/rights.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { holdOf } from '../../../domain/types/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { Erased, Person, Traces } from '../../rpc/maintenance/rights.ts';
import { NamedPeople, type Naming } from '../../storage/secondary/people.ts';
import { WRITE_STEP_DOCUMENTS, WRITE_STEP_ROWS, yieldToOthers } from '../../storage/steps.ts';
import type { Ground } from '../ground.ts';
import type { Transactor } from '../transactor.ts';

/** Positions that one step looks at; documents that one call changes. */
const LOOKED_AT_ONCE = 10_000;
const CHANGED_BY_CALL = 2_000;

/** To be called only when there are tables. */
export async function tracesOf({ sql, tables }: Ground, person: Person): Promise<Traces> {
  const traces = { owned: 0, named: 0 };
  for await (const naming of namingOf(new NamedPeople(sql), tables, person)) {
    for (const each of naming) traces[isOwned(each, person) ? 'owned' : 'named'] += 1;
  }
  return traces;
}

/** Those of one step, up to a limit. To be called only when there are tables. */
export function namedAfter(ground: Ground, identity: string, after: number, limit: number) {
  const to = after + LOOKED_AT_ONCE;
  const named = new NamedPeople(ground.sql).between(after, to, identity).slice(0, limit);
  const last = named.length === limit ? (named.at(-1)?.seq ?? to) : to;
  return { ids: named.map(({ id }) => id), next: last < ground.tables.records.lastSeq() ? last : null };
}

/** Removes a person's user document, if it is here; gives how many. No check has a say. Call it only with tables. */
export async function removeUser(ground: Ground, type: TypeName, { user }: Person): Promise<number> {
  let removed = 0;
  if (user !== null) {
    await step(ground, () => {
      if (removeUntold(ground.tables, type, user)) removed += 1;
    });
  }
  return removed;
}

/** Erases the rest of what names a person. To be called only when there are tables. */
export async function erasePerson(ground: Ground, type: TypeName, person: Person): Promise<Erased> {
  const { sql, tables } = ground;
  const { identity, senders } = person;
  const named = new NamedPeople(sql);
  const erased = { owned: 0, named: 0 };
  const held = holdOf(tables.settings.current) > 0;
  const pause = ground.rest();
  const erase = (each: Naming) => {
    const owned = isOwned(each, person);
    const isThere = owned
      ? removeUntold(tables, type, each.id)
      : tables.disown(type, each.id, identity, named);
    if (isThere) erased[owned ? 'owned' : 'named'] += 1;
  };
  for await (const naming of namingOf(named, tables, person)) {
    for (let at = 0; at < naming.length; at += WRITE_STEP_DOCUMENTS) {
      if (erased.owned + erased.named >= CHANGED_BY_CALL) return { ...erased, more: true, held };
      const some = naming.slice(at, at + WRITE_STEP_DOCUMENTS);
      await step(ground, () => {
        tables.together(() => {
          some.forEach(erase);
        });
      });
      await pause();
    }
  }
  await step(ground, () => {
    // Exports that are being read begin anew.
    if (!held) tables.versions.endSnapshots(Number.MAX_SAFE_INTEGER);
  });
  /** Works from place to place, until there is none. */
  const walk = async <Place>(first: Place | null, work: (from: Place) => Place | null) => {
    for (let next = first; next !== null;) {
      const from = next;
      await step(ground, () => {
        next = work(from);
      });
      await pause();
    }
  };
  await walk(0, () => (tables.outbox.forgetOwned(identity, WRITE_STEP_ROWS, Date.now()) ? 0 : null));
  await walk(0, () => (tables.outcomes.forgetSenders(senders, WRITE_STEP_ROWS) ? 0 : null));
  await walk(0, (from) => named.forgetAudited(from, WRITE_STEP_ROWS, identity));
  await walk(held ? null : 0, (from) => {
    const row = named.lastRow(from, WRITE_STEP_ROWS);
    if (row === null) return null;
    // Types of groups have no history: their log is the feed's.
    if (typeInfo(type).members !== undefined) named.forgetMember(from, row, identity);
    named.forgetEditor(from, row, identity);
    for (const version of named.versionsBetween(from, row, identity)) {
      const { lastCreator: creator, lastAcl: acl } = version;
      // The last version, which says whose the document was, has the last of its rows.
      if (isOwned({ creator, acl }, person)) named.forgetVersion(version.row);
      else named.disown(version, identity);
    }
    return row;
  });
  await walk<string>('', (from) => named.dropReader(from, WRITE_STEP_ROWS, identity));
  return { ...erased, more: false, held };
}

/** Removes a document, of which webhooks are told no more than that. */
function removeUntold(tables: Transactor, type: TypeName, id: DocumentId): boolean {
  tables.outbox.forget(id, Date.now());
  return tables.remove(type, id, { ...TRUSTED, ifMatch: null }).ok;
}

async function* namingOf(
  named: NamedPeople,
  { records }: Transactor,
  { identity }: Person,
): AsyncGenerator<readonly Naming[]> {
  const last = records.lastSeq();
  for (let from = 0; from < last; from += LOOKED_AT_ONCE) {
    const naming = named.between(from, from + LOOKED_AT_ONCE, identity);
    if (naming.length > 0) yield naming;
    await yieldToOthers();
  }
}

async function step({ writes }: Ground, work: () => void): Promise<void> {
  await writes.exclusive(() => {
    work();
    return ok(null);
  });
}

/** What is not theirs alone stays, without the person's name. */
function isOwned({ acl, creator }: Omit<Naming, 'id' | 'seq'>, { identity, owns }: Person): boolean {
  return owns && ownerOf(aclOf(acl), creator) === identity;
}
