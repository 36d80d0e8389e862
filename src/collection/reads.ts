/** Reads of single documents, or of a few by their ids. Answers for every request are cached until the next write. */
import type { DocumentId } from '../domain/ids.ts';
import type { Viewer } from '../domain/rights.ts';
import type { Principal } from '../domain/rules.ts';
import { hasRight } from './storage/documents/checks.ts';
import type { Memory } from './storage/caching/answer-cache.ts';
import { packDocuments, unpackDocument, unpackFound, type PackedRead } from './rpc/packing/packing.ts';
import { stored } from './storage/documents/documents.ts';
import { visibilityOf } from './rpc/rules.ts';
import { isMany } from './storage/documents/rights.ts';
import { yieldToOthers } from './storage/steps.ts';
import type { Readers } from './storage/documents/readers.ts';
import type { AclReadResult, NotRead, ReadManyRequest, ReadManyResult } from './rpc/results.ts';
import type { StoredDocument } from '../domain/values/stored.ts';
import { recall } from '../domain/caching/recall.ts';

/** Documents that are read in one step when the rights of many identities must be checked for each. */
const READ_IN_STEP = 50;

/** To be used only when there are tables. */
export class Reads {
  readonly #tables: Readers;
  readonly #memory: Memory;

  constructor(tables: Readers, memory: Memory) {
    this.#tables = tables;
    this.#memory = memory;
  }

  read(id: DocumentId, principal: Principal, auditFields = false): PackedRead {
    const { records } = this.#tables;
    if (!hasRight(this.#tables, id, 'read', principal.viewer)) return { state: 'forbidden' };
    const sees = visibilityOf(principal);
    const found = records.read(id, auditFields || sees !== null);
    // What a document was that has gone is not known here: under a rule it is as one that never was.
    if (sees !== null && (found === null || !sees(unpackFound(found).document))) {
      return { state: 'forbidden' };
    }
    return found ?? this.gone(id);
  }

  gone(id: DocumentId): NotRead {
    const deletion = this.#tables.records.deletion(id);
    return deletion === undefined ? { state: 'absent' } : { state: 'deleted', version: deletion.version };
  }

  /**
   * The requested documents that exist and that the viewer may read. For a viewer of many identities that takes longer,
   * and is done in steps, between which other requests run.
   */
  async readMany(
    { ids, viewer, rule, limit, units, auditFields = false }: ReadManyRequest,
    pause = yieldToOthers,
  ): Promise<ReadManyResult> {
    const { expiries, records } = this.#tables;
    const { counter } = this.#memory.stateOf(records);
    const documents: string[] = [];
    let size = 0;
    const sees = visibilityOf({ rule });
    const step = isMany(viewer) ? READ_IN_STEP : Math.max(1, ids.length);
    for (let at = 0; at < ids.length; at += step) {
      if (at > 0) await pause();
      for (const packed of this.#readable(ids.slice(at, at + step), viewer, auditFields || sees !== null)) {
        if (sees !== null && !sees(unpackDocument(packed))) continue;
        if (expiries.ended !== null && expiries.has(unpackDocument(packed))) continue;
        size += packed.length;
        if (documents.length === limit || size > units) return { counter, documents: '', complete: false };
        documents.push(packed);
      }
    }
    // A packed document begins with its id, and ids ascend with creation.
    return {
      counter,
      documents: packDocuments(step < ids.length ? documents.sort() : documents),
      complete: true,
    };
  }

  /** The documents that a viewer may read, packed, in the order of creation. */
  #readable(ids: readonly DocumentId[], viewer: Viewer, auditFields: boolean): Iterable<string> {
    const { records, rights } = this.#tables;
    if (viewer === null) return records.packedOf(ids, auditFields);
    return records.packedAt(rights.readable(viewer, records.seqsOf(ids)), auditFields);
  }

  /** The ids in `ids` that no document has. */
  missing(ids: readonly DocumentId[]): readonly DocumentId[] {
    const [only] = ids;
    if (only !== undefined && ids.length === 1) {
      const exists = recall(this.#memory.existing, only, () => this.#existing(ids).has(only));
      return exists ? [] : ids;
    }
    const existing = this.#existing(ids);
    return ids.filter((id) => !existing.has(id));
  }

  #existing(ids: readonly DocumentId[]): ReadonlySet<string> {
    const { expiries, records } = this.#tables;
    const existing = records.existing(ids);
    if (expiries.ended === null) return existing;
    return new Set(ids.filter((id) => existing.has(id) && !expiries.has(records.find(id))));
  }

  /** The ids in `ids` that no document has or had. */
  unknown(ids: readonly DocumentId[]): readonly DocumentId[] {
    const { records } = this.#tables;
    const existing = records.existing(ids);
    const missing = ids.filter((id) => !existing.has(id));
    if (missing.length === 0) return missing;
    const deleted = records.deleted(missing);
    return missing.filter((id) => !deleted.has(id));
  }

  readAcl(id: DocumentId, principal: Principal): AclReadResult {
    const { viewer } = principal;
    const { records, rights } = this.#tables;
    const seq = records.seqOf(id);
    if (viewer !== null && (seq === undefined || !rights.has(viewer, 'super-read', seq))) {
      return { state: 'forbidden' };
    }
    const document = records.find(id);
    const sees = visibilityOf(principal);
    if (sees !== null && (document === undefined || !sees(document))) return { state: 'forbidden' };
    if (document === undefined) return this.gone(id);
    return { state: 'found', acl: rights.of(document.seq), version: document.aclVersion };
  }

  findUnique(name: string, value: string): StoredDocument | null {
    return recall(this.#memory.unique, `${name} ${value}`, () => {
      const document = this.#tables.records.findUnique(name, value);
      return document === undefined ? null : stored(document);
    });
  }

  groupsOf(identity: string): readonly DocumentId[] {
    return recall(this.#memory.groups, identity, () => this.#tables.members.groupsOf(identity));
  }

  /**
   * Whether a token stands. Its holder must be unchanged since the token was made (every change of a user raises the
   * version and so ends all its tokens), and the token itself must not have been ended. Null where an import may yet
   * bring the holder as the token names it: `Transactor.restore` lets no version come that this says has ended.
   */
  vouches(id: DocumentId, version: number, token: DocumentId): boolean | null {
    return recall(this.#memory.standing, `${id} ${version} ${token}`, () => {
      const { records, tokens } = this.#tables;
      if (tokens.vouches(id, version, token)) return true;
      const isThere = records.seqOf(id) !== undefined;
      const isOver = isThere ? records.knows(version) : records.deletion(id) !== undefined;
      return isOver || tokens.ended([token]).length > 0 ? false : null;
    });
  }
}
