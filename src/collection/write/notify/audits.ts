/**
 * The audit trail (docs/audit.md), where documents are written: a write notes what it changes in a message of its own
 * transaction, so nothing that was answered is lost, and nothing that was undone is told. Without a trail it is free.
 */
import { idOfSecond, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { AuditMessage, Audited, Auditor, ChangeKind, WriteTarget } from '../../rpc/writes/target.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import { randomHex } from '../../storage/ids.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';
import type { TypeName } from '../../../domain/types.ts';

/** Changes that one message tells: it is one write in the collection of the trail. */
const TOGETHER = 200;

export class Audits {
  readonly #outbox: Outbox;
  /** For whom the write is that runs; null where nothing is to be noted. */
  #noted: { readonly auditor: Auditor; readonly type: TypeName; readonly changes: Audited[] } | null = null;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** Begins a write, inside its transaction; null ends it. */
  begin(target: WriteTarget | null): void {
    this.#noted = target?.auditor ? { auditor: target.auditor, type: target.type, changes: [] } : null;
  }

  /** Notes a change of the write that runs. `fields` is asked only where there is a trail. */
  note(id: DocumentId, change: ChangeKind, fields: () => readonly string[]): void {
    if (this.#noted === null) return;
    const { changes, type } = this.#noted;
    changes.push({ entry: newEntry(), at: Date.now(), type, id, change, fields: bounded(fields()) });
  }

  /** Puts what the write has changed into the outbox. To be called where it has succeeded. */
  post(): void {
    if (this.#noted === null) return;
    const { auditor, changes } = this.#noted;
    for (let from = 0; from < changes.length; from += TOGETHER) {
      const some = changes.slice(from, from + TOGETHER);
      const payload = JSON.stringify({ auditor, changes: some } satisfies AuditMessage);
      const key = some[0]?.entry ?? '';
      const message = {
        kind: 'audit',
        addressee: 'audit',
        key,
        about: `${some.length} changes`,
        payload,
      } as const;
      this.#outbox.put(message, Date.now());
    }
  }
}

/** Ids of entries ascend with time, as all ids do. */
function newEntry(): DocumentId {
  return idOfSecond(Math.floor(Date.now() / 1000), randomHex());
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
