/**
 * What of a write must reach others before it answers: copies of documents in KV, and schemas, webhooks and settings in
 * the collections that they are for.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { Outcome } from '../../../domain/problems.ts';
import type { TypeSettings } from '../../../domain/type-settings.ts';
import { factsOf, type PushedPart } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { StoredDocument } from '../../rpc/packing/content.ts';
import type { PushedDocument } from '../../rpc/contract.ts';
import type { Environment } from '../../rpc/environment.ts';
import { lookupKey, type Lookup } from '../../rpc/lookup.ts';
import type { WriteResult } from '../../rpc/results.ts';
import { ringBy } from '../../storage/alarm.ts';
import { LookupWriter } from './lookups.ts';
import { HandingOver, openSettings } from './handing-over.ts';
import { inTime, Pushes } from './pushes.ts';
import { openSchema } from './pushed-schemas.ts';
import { Endings } from '../endings.ts';
import { openWebhook } from './pushed-webhooks.ts';
import type { Transactor } from '../transactor.ts';
import type { Writes } from '../writes.ts';

/** Milliseconds after which a failed push is tried again. */
const PUSH_AGAIN = 2_000;

export class Propagation {
  readonly #environment: Environment;
  readonly #storage: DurableObjectStorage;
  readonly #tables: Transactor;
  readonly #writes: Writes;
  readonly #lookups: LookupWriter;
  readonly #pushes: Readonly<Record<PushedPart, Pushes<PushedDocument>>>;
  readonly #adoptions: Pushes<TypeSettings>;
  readonly #handingOver: HandingOver;
  readonly #endings: Endings;

  constructor(environment: Environment, storage: DurableObjectStorage, tables: Transactor, writes: Writes) {
    this.#environment = environment;
    this.#storage = storage;
    this.#tables = tables;
    this.#writes = writes;
    this.#lookups = new LookupWriter(environment.LOOKUPS);
    this.#pushes = {
      schemas: new Pushes(storage.sql, tables.records, 'pushes', openSchema),
      webhooks: new Pushes(storage.sql, tables.records, 'webhook_pushes', openWebhook),
    };
    this.#adoptions = new Pushes(storage.sql, tables.records, 'adoptions', openSettings);
    this.#endings = new Endings(environment, storage, tables, writes);
    const clientOf = ({ application, type }: CollectionName) =>
      collectionOf({ environment, application }, type);
    this.#handingOver = new HandingOver(tables, writes, this.#adoptions, {
      stage: (target, number, settings) => clientOf(target).stageSettings(number, settings),
      settle: (target, number, [settings = null]) => clientOf(target).settleSettings(number, settings),
      remind: () => ringBy(storage, Date.now() + PUSH_AGAIN),
    });
  }

  /** Creates a document of this number of units. */
  async create(name: CollectionName, units: number, work: () => WriteResult): Promise<WriteResult> {
    if (isAdopted(name)) return this.#handingOver.write(name, null, work, ({ document }) => document.id);
    const created = await this.#writes.write(units, () => {
      const result = work();
      const part = partOf(name);
      if (result.ok && part !== undefined) this.#note(name, part, result.value.document);
      return result;
    });
    if (created.ok && isPublished(name)) {
      // If KV refuses the copy, there is none, and readers ask this object.
      await this.#publish(name, created.value.document.id).catch(() => undefined);
    }
    if (created.ok && partOf(name) !== undefined) await this.push();
    return created;
  }

  /** Changes or deletes a document; the content of the change has this number of units. */
  async change<T>(
    name: CollectionName,
    id: DocumentId,
    units: number,
    work: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    if (isAdopted(name)) return this.#handingOver.write(name, id, work, () => id);
    const alone = () => this.#writes.alone(work);
    const part = partOf(name);
    if (part !== undefined) return this.#changePushed(name, part, id, alone);
    if (!isPublished(name)) return this.#writes.write(units, work);
    const key = lookupKey(name.application, name.type, id);
    if (!isEnding(name)) return this.#lookups.around(key, alone, () => this.current(id));
    const noted = () =>
      this.#writes.alone(() => {
        const changed = work();
        if (changed.ok) this.#endings.note(id);
        return changed;
      });
    const changed = await this.#lookups.around(key, noted, () => this.current(id));
    await this.#endings.remind();
    return changed;
  }

  /** Changes a document that is pushed, and answers when its old and its new target have received the change. */
  async #changePushed<T>(
    name: CollectionName,
    part: PushedPart,
    id: DocumentId,
    change: () => T,
  ): Promise<T> {
    const result = this.#whole(() => {
      this.#notePush(name, part, id);
      const changed = change();
      this.#notePush(name, part, id);
      return changed;
    });
    await this.push();
    return result;
  }

  /** A write and what is noted of it: one is not stored without the other. */
  #whole<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      // The write took itself for committed.
      if (this.#writes.hasTables) this.#tables.load();
      throw error;
    }
  }

  #notePush(name: CollectionName, part: PushedPart, id: DocumentId): void {
    const document = this.#writes.hasTables ? this.#tables.records.find(id) : undefined;
    if (document !== undefined) this.#note(name, part, document);
  }

  #note({ application }: CollectionName, part: PushedPart, document: StoredDocument): void {
    const pushes = this.#pushes[part];
    pushes.note(application, pushes.targetOf(document));
  }

  /** Reads when all that the answer might show is in force: at once, unless some of it is being pushed. */
  inForce<T>(read: () => T | Promise<T>): T | Promise<T> {
    if (!this.#isPending) return read();
    return inTime(this.push()).then(read);
  }

  get #isPending(): boolean {
    const { schemas, webhooks } = this.#pushes;
    return this.#writes.hasTables && (schemas.pending || webhooks.pending || this.#adoptions.pending);
  }

  /** Resolves when all schemas, webhooks and settings that were written have arrived where they hold. */
  async push(): Promise<void> {
    if (this.#writes.hasTables && this.#adoptions.pending) await this.#handingOver.push();
    await this.#pushPart('schemas');
    await this.#pushPart('webhooks');
  }

  async #pushPart(part: PushedPart): Promise<void> {
    const pushes = this.#pushes[part];
    if (!this.#writes.hasTables || !pushes.pending) return;
    // If the object dies before all pushes have arrived, the alarm resumes them.
    await ringBy(this.#storage, Date.now() + PUSH_AGAIN);
    await pushes.push(({ application, type }, number, documents) =>
      collectionOf({ environment: this.#environment, application }, type).setPushed(part, number, documents),
    );
  }

  /** Deletes what is to be deleted now. */
  alarm(): Promise<void> {
    return this.#endings.alarm();
  }

  /** The current copy of a document for lookups. */
  current(id: DocumentId): Lookup {
    if (this.#writes.sealed || !this.#writes.hasTables) return { state: 'gone' };
    const document = this.#tables.records.find(id);
    return document === undefined ? { state: 'gone' } : { state: 'current', body: document.body };
  }

  /** Makes the same copy, and writes it to KV. */
  async lookUp(name: CollectionName, id: DocumentId): Promise<Lookup> {
    // Ids that never existed get no copy, or well-formed ids would fill KV.
    if (!this.#writes.hasTables || !this.#everHad(id)) return { state: 'gone' };
    return this.#publish(name, id).catch(() => this.current(id));
  }

  /** Ends the lookups of all documents, which is to be done before these go. Gives their ids. */
  async endLookups(name: CollectionName): Promise<readonly DocumentId[]> {
    const ids = isPublished(name) && this.#writes.hasTables ? this.#tables.records.ids() : [];
    this.#writes.seal();
    for (const id of ids) await this.#publish(name, id);
    return ids;
  }

  /** Sends every reader of lookups to this object; gives the ids of its documents. */
  async doubtLookups(name: CollectionName): Promise<readonly DocumentId[]> {
    const ids = isPublished(name) && this.#writes.hasTables ? this.#tables.records.ids() : [];
    for (const id of ids) await this.#lookups.doubt(lookupKey(name.application, name.type, id));
    return ids;
  }

  /** Makes the lookups of these ids, and of the documents that are there, what they have to be. */
  async settleLookups(name: CollectionName, ids: readonly DocumentId[]): Promise<void> {
    const present = isPublished(name) && this.#writes.hasTables ? this.#tables.records.ids() : [];
    for (const id of new Set([...ids, ...present])) await this.#publish(name, id);
  }

  #everHad(id: DocumentId): boolean {
    const { records } = this.#tables;
    return records.seqOf(id) !== undefined || records.deletion(id) !== undefined;
  }

  #publish(name: CollectionName, id: DocumentId): Promise<Lookup> {
    return this.#lookups.write(lookupKey(name.application, name.type, id), () => this.current(id));
  }
}

/** True where documents may say that what they stand for is to be deleted. */
function isEnding({ type }: CollectionName): boolean {
  return factsOf(type).ends === true;
}

/** True where documents have copies in KV for lookups. */
function isPublished({ type }: CollectionName): boolean {
  return factsOf(type).published === true;
}

/** True where documents are settings that the collections of their types must take. */
function isAdopted({ type }: CollectionName): boolean {
  return factsOf(type).adopted === true;
}

/** What documents are to the collections that they are handed to; undefined where they are not. */
function partOf({ type }: CollectionName): PushedPart | undefined {
  return factsOf(type).pushed;
}
