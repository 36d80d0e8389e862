/**
 * A collection as everybody but its object sees it: its methods take and give documents. Only this client, and the
 * object itself, know where the object is, what crosses the RPC, and how that is packed.
 */
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Content, Document, Link } from '../../domain/documents.ts';
import type { AclLevel, Grant } from '../../domain/rights.ts';
import type { TypeSettings } from '../../domain/type-settings.ts';
import type { Fields } from '../../domain/values/values.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { type DocumentId } from '../../domain/ids.ts';
import type { PushedPart, TypeName } from '../../domain/types.ts';
import type { BulkRequest } from './bulk.ts';
import type { PushedDocument } from './contract.ts';
import type { LettersTold } from './upkeep/letters.ts';
import type { Once } from './once.ts';
import type { Change, WriteList, WriteListResult, Draft } from './operations.ts';
import { packChange, packDraft, packOperations, type NewDocument } from './packing/packing-writes.ts';
import { unpackWrite } from './packing/packing.ts';
import type { Precondition } from './precondition.ts';
import { BEGINS_AGAIN } from './outages.ts';
import { packLine, type ImportBatch, type ImportResult } from './upkeep/transfer.ts';
import type { Amount, Claim, Share } from './upkeep/shares.ts';
import type { Erased, Person } from './upkeep/people.ts';
import type { CountedRequests } from './upkeep/usage.ts';
import type { AclResult, DeleteResult, Written } from './results.ts';
import { recall } from '../../domain/caching/recall.ts';
import { CollectionReader, type Asker, type RuleAt } from './client-reads.ts';

/** The clients of each request, by type: one request calls the same collection several times. */
const clients = new WeakMap<Asker, Map<string, CollectionClient>>();

/** An application's collection of one type. The client is as short-lived as the asker, which is one request. */
export function collectionOf(asker: Asker, type: TypeName): CollectionClient {
  const ofAsker = recall(clients, asker, () => new Map<string, CollectionClient>());
  return recall(ofAsker, type, () => new CollectionClient(asker, type));
}

/** Reads, and writes beside them. The contract (contract.ts) describes each method. */
export class CollectionClient extends CollectionReader {
  async create(document: NewDocument): Promise<Outcome<Written<Document>>> {
    const created = unpackWrite(await this.object.create(this.name, this.#draft(document)));
    return created.ok ? ok(this.written(created.value, document.rule ?? null)) : created;
  }

  async findOrCreate(document: NewDocument): Promise<Outcome<Document>> {
    const found = unpackWrite(await this.object.findOrCreate(this.name, this.#draft(document)));
    return found.ok ? ok(this.open(found.value.document, null)) : found;
  }

  /** `asSent`: attributes as sent, where they are stored in another form. */
  async update(
    id: DocumentId,
    change: Change<Content>,
    precondition: Precondition,
    asSent: Fields | null = null,
    once?: Once,
  ): Promise<Outcome<Written<Document>>> {
    const overlay = asSent && encodeText(asSent);
    const packed = packChange(change);
    const told = this.#precondition(precondition);
    const written = await this.object.update(this.name, id, packed, told, overlay, once);
    const updated = unpackWrite(written);
    return updated.ok ? ok(this.written(updated.value, precondition.rule)) : updated;
  }

  async remove(id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    return this.object.remove(this.name, id, this.told(precondition));
  }

  async writeList({ operations, ...list }: WriteList<Content>): Promise<WriteListResult<Document>> {
    const packing = packOperations(operations);
    if (!packing.ok) return packing;
    const written = await this.object.writeList(this.name, {
      ...list,
      actors: list.actors.map((actor) => this.told(actor)),
      operations: packing.packed,
    });
    if (!written.ok) return written;
    const ruleAt: RuleAt = (at) => list.actors[operations[at]?.actor ?? 0]?.rule ?? null;
    return { ok: true, done: this.openDone(written.done, ruleAt) };
  }

  async bulk({ reader, writer, change, ...request }: BulkRequest<Content>): Promise<Outcome<number>> {
    return this.object.bulk(this.name, {
      ...request,
      reader: this.told(reader),
      writer: this.told(writer),
      change: change && packChange(change),
    });
  }

  async updateAcl(
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    return this.object.updateAcl(this.name, id, level, grants, this.told(precondition));
  }

  async endToken(holder: Link, token: DocumentId, until: number): Promise<Outcome<null>> {
    return this.object.endToken(holder, token, until);
  }

  async importLines({ lines, ...batch }: ImportBatch<Content>): Promise<Outcome<ImportResult>> {
    return this.object.importLines(this.name, { ...batch, lines: lines.map(packLine) });
  }

  async erasePerson(person: Person): Promise<Erased> {
    return this.object.erasePerson(this.name, person);
  }

  async setPushed(part: PushedPart, number: number, documents: readonly PushedDocument[]): Promise<void> {
    await this.object.setPushed(this.name, part, number, documents);
  }

  async letters(addressee: string): Promise<LettersTold> {
    return this.object.letters(addressee);
  }

  async sendAgain(addressee: string, ids: readonly string[] | null): Promise<number> {
    return this.object.sendAgain(addressee, ids);
  }

  async stageSettings(number: number, settings: TypeSettings | null): Promise<Outcome<null>> {
    return this.object.stageSettings(this.name, number, settings);
  }

  async settleSettings(number: number, settings: TypeSettings | null): Promise<void> {
    await this.object.settleSettings(this.name, number, settings);
  }

  async countRequests(counted: CountedRequests): Promise<void> {
    await this.object.countRequests(counted);
  }

  async claim(claim: Claim): Promise<Share> {
    return this.object.claim(this.name, claim);
  }

  async giveBack(number: number): Promise<Amount> {
    return this.object.giveBack(number);
  }

  async bookmark(time: number): Promise<string | null> {
    return this.object.bookmark(time);
  }

  async prepareRewind(bookmark: string): Promise<readonly DocumentId[]> {
    return this.object.prepareRewind(this.name, bookmark);
  }

  /** To be called last: the client has met the end of its object, and the next call needs another. */
  async beginAgain(): Promise<void> {
    try {
      await this.object.beginAgain();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes(BEGINS_AGAIN)) throw error;
    }
  }

  async finishRewind(ids: readonly DocumentId[]): Promise<void> {
    await this.object.finishRewind(this.name, ids);
  }

  async follow(follower: TypeName): Promise<void> {
    await this.object.follow(this.name, follower);
  }

  async tellFollowers(): Promise<void> {
    await this.object.tellFollowers();
  }

  async concern(identities: readonly string[] | null): Promise<boolean> {
    return this.object.concern(identities);
  }

  async seal(): Promise<void> {
    await this.object.seal();
  }

  async erase(): Promise<readonly DocumentId[]> {
    return this.object.erase(this.name);
  }

  #draft(document: NewDocument): Draft {
    return this.told(packDraft(document));
  }

  #precondition({ reader, ...precondition }: Precondition): Precondition {
    return { ...this.told(precondition), ...(reader !== undefined && { reader: this.told(reader) }) };
  }
}
