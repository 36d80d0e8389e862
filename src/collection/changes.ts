/** The writes of single documents. Each takes the same steps (write-steps.ts); what it applies is in write/transactor.ts. */
import type { DocumentId } from '../domain/ids.ts';
import { LIMITS } from '../domain/limits.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant } from '../domain/rights.ts';
import type { CopiedPart } from '../domain/types.ts';
import type { History } from './history.ts';
import type { Initialization } from './initialization.ts';
import type { EndedToken, PushedDocument } from './rpc/contract.ts';
import type { VersionAsked } from './rpc/history.ts';
import { noVersion } from './rpc/refusals.ts';
import {
  type Once,
  unitsOfChange,
  unitsOfGrants,
  type Change,
  type Draft,
  type Precondition,
} from './rpc/writes/operations.ts';
import type { AclResult, DeleteResult, WriteResult, Written } from './rpc/results.ts';
import type { Amount, WriteTarget } from './rpc/writes/target.ts';
import type { Stepped, UploadBegun, UploadStep } from './rpc/maintenance/uploads.ts';
import { reserveContent, stepUpload } from './write/document/contents.ts';
import type { Replication } from './write/notify/replication.ts';
import type { Tables } from './write/tables.ts';
import type { WriteSteps } from './write-steps.ts';
import type { Transactor } from './write/transactor.ts';
import type { Writes } from './write/writes.ts';

interface Parts {
  readonly steps: WriteSteps;
  readonly tables: Transactor;
  readonly writes: Writes;
  readonly replication: Replication;
  readonly history: Pick<History, 'version'>;
  readonly initialization: Initialization;
}

export class Changes {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  create(target: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#add(target, draft, () => this.#parts.tables.create(target.type, draft, Date.now()));
  }

  findOrCreate(target: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#add(target, draft, () => this.#parts.tables.findOrCreate(target.type, draft, Date.now()));
  }

  #add(target: WriteTarget, draft: Draft, apply: () => WriteResult): Promise<WriteResult> {
    const bytes = draft.content.body.length;
    return this.#parts.steps.perform({
      target,
      adds: true,
      wanted: { documents: 1, bytes },
      once: draft.once,
      seen: draft.rule?.seen,
      apply,
      commit: (work) => this.#parts.replication.write(target, null, bytes, work, idOfWritten),
    });
  }

  /** Makes room for the content of a file, which gets its document later. */
  reserveContent(target: WriteTarget, bytes: number, begun?: UploadBegun): Promise<Outcome<DocumentId>> {
    const { tables, writes } = this.#parts;
    return this.#parts.steps.perform({
      target,
      adds: true,
      wanted: { documents: 1, bytes },
      apply: () => reserveContent(tables, target, bytes, begun, Date.now()),
      commit: (work) => writes.write(0, work),
    });
  }

  /** Goes on with the upload of a content; null where there is none to go on with. */
  async stepUpload(id: DocumentId, step: UploadStep): Promise<Stepped | null> {
    const { tables, writes } = this.#parts;
    const stepped = await writes.write(0, () =>
      ok(writes.hasTables ? stepUpload(tables, id, step, Date.now()) : null),
    );
    return stepped.ok ? stepped.value : null;
  }

  /** Notes that the content of a file comes in parts, which are to be aborted if it gets no document. */
  noteUpload(id: DocumentId, upload: string): Promise<void> {
    return this.#ofUpload(id, ({ contents }) => {
      contents.noteUpload(id, upload);
    });
  }

  /** Lets the content of a file be deleted that gets no document. */
  releaseContent(id: DocumentId): Promise<void> {
    return this.#ofUpload(id, ({ contents }) => {
      contents.release(id, Date.now());
    });
  }

  async #ofUpload(id: DocumentId, apply: (tables: Tables) => void): Promise<void> {
    const { tables, writes } = this.#parts;
    await writes.write(0, () => {
      if (writes.hasTables && !tables.records.isTaken(id)) apply(tables);
      return ok(null);
    });
  }

  update(
    target: WriteTarget,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null,
    once: Once | undefined,
  ): Promise<WriteResult> {
    const { replication, tables } = this.#parts;
    const bytes = unitsOfChange(change);
    return this.#parts.steps.perform({
      target,
      ids: [id],
      wanted: { documents: 0, bytes },
      once,
      seen: precondition.rule?.seen,
      apply: () => tables.update(target.type, id, change, precondition, overlay),
      commit: (work) => replication.write(target, id, bytes, work, idOfWritten),
    });
  }

  /** Makes a version what the document is, be it deleted or not; as `readers` the version must be seen. */
  async restore(
    target: WriteTarget,
    { id, n, readers }: VersionAsked,
    precondition: Precondition,
    once: Once | undefined,
  ): Promise<WriteResult> {
    const { history, replication, tables, writes } = this.#parts;
    const isThere = !writes.hasTables || tables.records.seqOf(id) !== undefined;
    return this.#parts.steps.perform({
      target,
      ...(!isThere && { adds: true }),
      ids: [id],
      wanted: { documents: isThere ? 0 : 1, bytes: 0 },
      once,
      seen: precondition.rule?.seen,
      apply: () => {
        const read = history.version(id, readers, n);
        if (read.state !== 'found' || read.document === null) return noVersion(id, n);
        const { body, relationships } = read.document;
        const content = { body, relationships };
        return tables.records.seqOf(id) === undefined
          ? tables.revive(target.type, id, content, precondition, Date.now())
          : tables.update(target.type, id, { kind: 'merge', content, whole: true }, precondition, null);
      },
      commit: (work) =>
        writes.hasTables
          ? replication.write(target, id, LIMITS.document, work, idOfWritten)
          : noVersion(id, n),
    });
  }

  remove(target: WriteTarget, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    const { replication, tables } = this.#parts;
    return this.#parts.steps.perform({
      target,
      ids: [id],
      wanted: NOTHING,
      seen: precondition.rule?.seen,
      apply: () => tables.remove(target.type, id, precondition),
      commit: (work) => replication.write(target, id, 0, work, () => id),
    });
  }

  updateAcl(
    target: WriteTarget,
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    const { tables, writes } = this.#parts;
    return this.#parts.steps.perform({
      target,
      ids: [id],
      wanted: { documents: 0, bytes: unitsOfGrants(grants) },
      seen: precondition.rule?.seen,
      apply: () => tables.updateAcl(id, level, grants, precondition),
      commit: (work) => writes.write(0, work),
    });
  }

  /** An import may bring them before their holders. */
  endTokens(target: WriteTarget, tokens: readonly EndedToken[]): Promise<Outcome<null>> {
    const { tables, writes } = this.#parts;
    return this.#parts.steps.perform({
      target,
      adds: true,
      wanted: NOTHING,
      apply: () => ok(tables.endTokens(tokens, Math.floor(Date.now() / 1000))),
      commit: (work) => writes.write(0, work),
    });
  }

  async setPushed(
    target: WriteTarget,
    part: CopiedPart,
    number: number,
    documents: readonly PushedDocument[],
  ): Promise<void> {
    const { initialization, tables, writes } = this.#parts;
    const registered = await initialization.ready(target);
    if (!registered.ok) return;
    await writes.exclusive(() => {
      tables.setPushed(part, number, documents);
      return ok(null);
    });
  }
}

const NOTHING: Amount = { documents: 0, bytes: 0 };

const idOfWritten = ({ document }: Written): DocumentId => document.id;
