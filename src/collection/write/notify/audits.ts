/**
 * The audit trail (docs/audit.md), where documents are written: a write notes what it changes in a message of its own
 * transaction, so that nothing that was answered is lost and nothing that was undone is told. Applications without a
 * trail pay nothing.
 */
import { madeId, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { Outcome } from '../../../domain/problems.ts';
import type { AuditMessage, Audited, Auditor, ChangeKind, WriteTarget } from '../../rpc/writes/target.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';

/** Changes that one message tells: it is one write in the collection of the trail. */
const TOGETHER = 200;

export class Audits {
  readonly #outbox: Outbox;
  /** Of the documents of the write that runs; null where nothing is to be noted. */
  #type: string | null = null;
  #changes: Audited[] = [];

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** Runs a write inside its transaction, and puts what it has changed into the outbox, if it has succeeded. */
  within<T>({ auditor, type }: WriteTarget, work: () => Outcome<T>): Outcome<T> {
    if (auditor === undefined) return work();
    this.#type = type;
    this.#changes = [];
    try {
      const done = work();
      if (done.ok) this.#post(auditor, Date.now());
      return done;
    } finally {
      this.#type = null;
      this.#changes = [];
    }
  }

  /** Notes a change of the write that runs. `fields` is asked only where there is a trail. */
  note(id: DocumentId, change: ChangeKind, fields: () => readonly string[]): void {
    if (this.#type === null) return;
    const type = this.#type;
    this.#changes.push({ entry: newEntry(), at: Date.now(), type, id, change, fields: bounded(fields()) });
  }

  #post(auditor: Auditor, now: number): void {
    for (let from = 0; from < this.#changes.length; from += TOGETHER) {
      const message: AuditMessage = { auditor, changes: this.#changes.slice(from, from + TOGETHER) };
      const key = message.changes[0]?.entry ?? '';
      const about = `${message.changes.length} changes`;
      this.#outbox.put(
        { kind: 'audit', addressee: 'audit', key, about, payload: JSON.stringify(message) },
        now,
      );
    }
  }
}

/** Ids of entries ascend with time, as all ids do. */
function newEntry(): DocumentId {
  const seconds = Math.floor(Date.now() / 1000);
  const rest = crypto.getRandomValues(new Uint8Array(8)).toHex();
  return madeId(`${seconds.toString(16).padStart(8, '0')}${rest}`);
}

/** As many names as an entry holds: a document may have thousands, and long ones. */
function bounded(names: readonly string[]): readonly string[] {
  let left = LIMITS.auditedNames;
  return names.filter((name) => (left -= name.length) >= 0);
}

/** The names of all fields of a document. */
export function namesIn(content: Pick<StoredContent, 'body'>): readonly string[] {
  return Object.keys(JSON.parse(content.body) as object);
}

/** The names of the fields that differ. */
export function namesChanged(before: StoredContent, after: StoredContent): readonly string[] {
  const [old, now] = [before, after].map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>);
  if (old === undefined || now === undefined) return [];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
}
