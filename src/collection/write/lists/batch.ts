/**
 * A list of writes of one collection, in order and inside one transaction: all of them, or none. Each passes the same
 * checks, in the same order, as a single write; the first that fails ends the list.
 */
import { linksOf } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { principalOf } from '../../../domain/rules.ts';
import { fail, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import type { TypeName } from '../../../domain/types.ts';
import { allow } from '../../storage/documents/checks.ts';
import type { Transactor } from '../transactor.ts';
import {
  type Actor,
  type Operation,
  localId,
  localIdOf,
  type Attempt,
  type Done,
  type WriteList,
  type Failure,
  type Precondition,
} from '../../rpc/writes/operations.ts';
import type { Right, Viewer } from '../../../domain/rights.ts';
import type { Touched } from '../../storage/touched.ts';
import { contentsOf } from '../rules/looked.ts';
import { Effort } from './effort.ts';
import { LocalNames } from './local-names.ts';
import { refusalOf } from './refusals.ts';
import { notEven, Undone } from './undone.ts';

/** What an operation counts that a rule refused for the sake of a document, whatever its size is. */
const UNSEEN = LIMITS.document / 16;

/** Does a part of a transaction; when it throws, that part is undone. */
export type Nested = <T>(work: () => T) => T;

/** Performs all writes (of a list that goes on, those possible), or throws `Undone`: then undo the transaction. */
export function writeAll(
  tables: Transactor,
  type: TypeName,
  list: WriteList,
  now: number,
  nested: Nested,
): readonly Attempt[] {
  const batch = new Batch(tables, type, list, now, nested);
  return tables.together(() => batch.run(), now, list.transaction);
}

class Batch {
  readonly #tables: Transactor;
  readonly #type: TypeName;
  readonly #list: WriteList;
  /** Milliseconds since 1970. */
  readonly #now: number;
  readonly #nested: Nested;
  readonly #names: LocalNames;
  readonly #done: Attempt[] = [];
  /** The linked ids whose documents exist now, and all ids that the list has added. */
  readonly #present: Set<string>;
  readonly #effort: Effort;
  /** The id of the list, until a result has it. */
  #untold: string | undefined;

  constructor(tables: Transactor, type: TypeName, list: WriteList, now: number, nested: Nested) {
    this.#tables = tables;
    this.#nested = nested;
    this.#type = type;
    this.#list = list;
    this.#now = now;
    this.#untold = list.transaction;
    this.#effort = new Effort(list.again === true ? Infinity : undefined);
    this.#names = new LocalNames(type, (at) => this.#added(at));
    const linked = [...new Set(list.operations.flatMap(({ links = [] }) => links))];
    const existing = linked.length === 0 ? null : tables.records.existing(linked);
    this.#present = new Set(linked.filter((id) => existing?.has(id) === true && !isEnded(tables, id)));
  }

  run(): readonly Attempt[] {
    const { actors, operations } = this.#list;
    const foreseen = this.#tables.typeRules.foresee(
      this.#type,
      actors.map(({ rule }) => rule),
      () => operations.flatMap((each) => contentsOf(each, this.#tables.records)),
    );
    if (!foreseen.ok) throw new Undone(notEven(foreseen.problems));
    for (const [at, operation] of operations.entries()) {
      this.#done.push(
        this.#list.goesOn === true ? this.#attempt(operation, at) : this.#perform(operation, at),
      );
    }
    return this.#done;
  }

  /** Performs an operation, or throws `Undone`. */
  #perform(operation: Operation, at: number): Done {
    const missing = this.#missing(operation, at);
    if (operation.faulty === true || missing.length > 0) {
      const earlier = this.#refusal(operation);
      const { foreign } = operation;
      throw new Undone({ at, problems: earlier, missing, ...(foreign !== undefined && { foreign }) });
    }
    const done = this.#write(operation, at);
    if (!done.ok) throw new Undone({ at, problems: done.problems, missing: [] });
    // Only now: what was undone is not there.
    if (operation.kind === 'add') this.#present.add(done.value.id);
    if (operation.kind === 'remove') this.#present.delete(done.value.id);
    const transaction = this.#untold;
    if (transaction === undefined || operation.kind === 'test') return done.value;
    this.#untold = undefined;
    return { ...done.value, transaction };
  }

  /** Performs an operation, or nothing of it, and tells why. */
  #attempt(operation: Operation, at: number): Attempt {
    const refused = this.#orphaned(operation) ?? this.#effort.spend(0);
    const { checkpoint } = this.#tables.touched;
    if (refused !== null) return { failure: { at, problems: refused.problems, missing: [] } };
    try {
      return this.#tables.attempt(this.#nested, () => this.#perform(operation, at));
    } catch (error) {
      if (!(error instanceof Undone) || this.#tables.typeRules.looked.isWanting) throw error;
      this.#effort.spend(this.#costOfFailure(operation, error.failure, checkpoint));
      return { failure: error.failure };
    }
  }

  /**
   * What an operation has taken that was left out: it may have found a large document and failed late. As after one
   * that was done, nobody learns the size of a document that the actor may not read.
   */
  #costOfFailure(operation: Operation, { problems }: Failure, checkpoint: Touched['checkpoint']): number {
    const { touched } = this.#tables;
    if (operation.kind === 'add') return operation.content.body.length + touched.since(checkpoint);
    const { viewer, rule } = this.#actor(operation.actor);
    if (problems.some(({ code }) => code === 'forbidden')) {
      // Without a condition of a rule, rights are looked up and no document is read.
      return rule === null || rule.where === null ? 0 : UNSEEN;
    }
    const id = this.#names.idOf(operation.id);
    const seq = this.#tables.records.seqOf(id);
    if (seq === undefined) return 0;
    return this.#tables.rights.has(viewer, 'read', seq)
      ? this.#tables.records.sizeOf(id) + touched.since(checkpoint)
      : 2 * LIMITS.document;
  }

  /** The failure of an operation on a document, or on links, that an operation which failed was to add; else null. */
  #orphaned(operation: Operation): ReturnType<typeof fail> | null {
    const named = [
      ...('id' in operation ? [operation.id] : []),
      ...(operation.kind === 'change' && operation.change.kind === 'remove-links'
        ? linksOf(operation.change.linkage).flatMap(({ type, id }) => (type === this.#type ? id : []))
        : []),
    ];
    const [gone] = named.filter((id) => !this.#isKnown(id)).map(localIdOf);
    if (gone === undefined) return null;
    return fail('document-not-found', `Operation ${gone}, which was to add the document, has failed.`);
  }

  #write(operation: Operation, at: number): Outcome<Done> {
    switch (operation.kind) {
      case 'add':
        return this.#add(operation, at);
      case 'change':
        return this.#change(operation);
      case 'acl':
        return this.#changeAcl(operation);
      case 'remove':
        return this.#remove(operation);
      case 'test':
        return this.#test(operation);
    }
  }

  /*
   * What an operation took is counted after it, so that nobody learns the size of another's document. One that the
   * actor may not read counts as the largest possible: otherwise the number of possible changes would reveal its size.
   */

  #add(
    { id: chosen, given, content, local, actor, grants, wanted }: Operation & { readonly kind: 'add' },
    at: number,
  ): Outcome<Done> {
    const { owners, viewer, creator, rule } = this.#actor(actor);
    const draft = {
      ...(chosen !== undefined && { id: chosen }),
      ...(given !== undefined && { given }),
      content: local === true ? this.#names.content(content, at) : content,
      ...(local === true && { own: localId(at) }),
      owners,
      viewer,
      creator,
      ...(grants !== undefined && { grants }),
      rule,
    };
    const { checkpoint } = this.#tables.touched;
    const added = this.#tables.create(this.#type, draft, this.#now);
    if (!added.ok) return added;
    const { document, readable } = added.value;
    const { id, version, auditFields } = document;
    this.#present.add(id);
    return this.#spent(document.body.length + this.#tables.touched.since(checkpoint), {
      id,
      version,
      ...(auditFields !== undefined && { auditFields }),
      ...((wanted || this.#tables.typeRules.sets) && readable && { document }),
    });
  }

  /** What an operation has done, unless the list takes too much with it. */
  #spent(units: number, value: Done): Outcome<Done> {
    return this.#effort.spend(units) ?? ok(value);
  }

  #change(operation: Operation & { readonly kind: 'change' }): Outcome<Done> {
    const { change, local, wanted } = operation;
    const id = this.#names.idOf(operation.id);
    const named = local === true ? this.#names.change(change) : change;
    const { checkpoint } = this.#tables.touched;
    const changed = this.#tables.update(this.#type, id, named, this.#condition(operation), null);
    if (!changed.ok) return changed;
    const { before, document, readable } = changed.value;
    const { version, body } = document;
    const units = before + body.length + this.#tables.touched.since(checkpoint);
    const value = { id, version, ...(wanted && readable && { document }) };
    return this.#spent(readable ? units : 2 * LIMITS.document, value);
  }

  #changeAcl(operation: Operation & { readonly kind: 'acl' }): Outcome<Done> {
    const { level, grants, wanted } = operation;
    const id = this.#names.idOf(operation.id);
    const condition = this.#condition(operation);
    const { checkpoint } = this.#tables.touched;
    const { knowsRights } = visibilityOf(this.#tables, condition.viewer, id);
    const changed = this.#tables.updateAcl(this.#type, id, level, grants, condition);
    if (!changed.ok) return changed;
    const { acl, version, readable } = changed.value;
    const units = JSON.stringify(grants).length + this.#tables.touched.since(checkpoint, knowsRights);
    return this.#spent(units, { id, version, ...(wanted && readable && { acl }) });
  }

  #test(operation: Operation & { readonly kind: 'remove' | 'test' }): Outcome<Done> {
    const id = this.#names.idOf(operation.id);
    const found = allow(this.#tables, id, 'read', this.#condition(operation));
    if (operation.absent === true) {
      if (found.ok)
        return fail('precondition-failed', 'There is such a document.', { pointer: '/meta/if-none-match' });
      const isNone = found.problems.every(({ code }) => code === 'document-not-found');
      return isNone ? ok({ id, version: 0 }) : found;
    }
    if (!found.ok) return found;
    const { id: real, version, body } = found.value;
    return this.#spent(body.length, { id: real, version });
  }

  #remove(operation: Operation & { readonly kind: 'remove' | 'test' }): Outcome<Done> {
    const id = this.#names.idOf(operation.id);
    const found = this.#tables.records.sizeOf(id);
    const condition = this.#condition(operation);
    const { checkpoint } = this.#tables.touched;
    const { readable, knowsRights } = visibilityOf(this.#tables, condition.viewer, id);
    const removed = this.#tables.remove(this.#type, id, condition);
    if (!removed.ok) return removed;
    const units = found + this.#tables.touched.since(checkpoint, knowsRights);
    return this.#spent(readable ? units : LIMITS.document, { id, version: removed.value });
  }

  #refusal(operation: Operation): readonly Problem[] {
    if (operation.kind !== 'change' && operation.kind !== 'acl') return [];
    return refusalOf(this.#tables, operation, this.#names.idOf(operation.id), this.#condition(operation));
  }

  /** Positions of the links whose targets do not exist at this moment. */
  #missing(operation: Operation, at: number): readonly number[] {
    const { links = [] } = operation;
    if (this.#list.again === true) return [];
    const own = operation.kind === 'add' ? operation.given : undefined;
    return links.flatMap((id, index) =>
      // What links to itself will be there.
      localIdOf(id) === at || id === own || (this.#isKnown(id) && this.#present.has(this.#names.idOf(id)))
        ? []
        : index,
    );
  }

  #condition({ actor, ifMatch, reader }: Exclude<Operation, { readonly kind: 'add' }>): Precondition {
    return {
      ...principalOf(this.#actor(actor)),
      ...(reader !== undefined && { reader: principalOf(this.#actor(reader)) }),
      ifMatch,
    };
  }

  #actor(index: number): Actor {
    const actor = this.#list.actors[index];
    if (actor === undefined) throw new Error('An operation has no actor.');
    return actor;
  }

  /** False for the local id of what an operation which failed was to add. */
  #isKnown(id: DocumentId): boolean {
    const at = localIdOf(id);
    const done = at === null ? undefined : this.#done[at];
    return at === null || (done !== undefined && 'id' in done);
  }

  #added(at: number): DocumentId {
    const done = this.#done[at];
    if (done === undefined || !('id' in done)) {
      throw new Error('A local id stands for nothing that was added before.');
    }
    return done.id;
  }
}

/** What somebody knows of a document before an operation. */
export function visibilityOf({ records, rights }: Transactor, viewer: Viewer, id: DocumentId) {
  const seq = records.seqOf(id);
  const has = (right: Right) => seq !== undefined && rights.has(viewer, right, seq);
  return { readable: has('read'), knowsRights: has('super-read') };
}

function isEnded({ expiries, records }: Transactor, id: DocumentId): boolean {
  return expiries.ended !== null && expiries.has(records.find(id));
}
