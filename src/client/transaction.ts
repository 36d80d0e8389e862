/** Operations that are collected, sent as one list, and done all or none, or as many as can be (docs/operations.md). */
import { changedData, dataOf, linksOf, merged, newData } from './changes.ts';
import { documentsOf, isLink, remember, stateOf, type Any } from './documents.ts';
import { ForedgeError } from './errors.ts';
import type { Link, OperationResult } from './transport.ts';
import type {
  Changes,
  Document,
  Name,
  New,
  Outcome,
  Relationship,
  Rights,
  Target,
  TypeBehind,
} from './types.ts';

interface Step {
  readonly operation: {
    readonly op: 'add' | 'update' | 'remove' | 'test';
    readonly ref?: unknown;
    readonly data?: unknown;
    readonly meta?: unknown;
  };
  /** The document that the operation saves, and how to note that it did. */
  readonly saved?: { readonly document: Any; readonly note: (etag: string | undefined) => void };
  /** What was given with it: links in the result lead there. */
  readonly known?: readonly Any[];
}

export const steps = Symbol();

export const tests = Symbol();

/** Reads a document by its type and id. */
type Read<S> = <T extends Name<S>>(type: T, id: string) => Promise<Document<S, T> | null>;

export class Transaction<S> {
  readonly #read: Read<S>;
  /** What was collected. */
  readonly [steps]: Step[] = [];
  /** What was read: that none of it has changed is tested with the rest. */
  readonly [tests]: Step[] = [];

  constructor(read: Read<S>) {
    this.#read = read;
  }

  /** A document, null if there is none. If one changes before the list is done, all is done again from the start. */
  async get<T extends Name<S>>(type: T, id: string): Promise<Document<S, T> | null> {
    const document = await this.#read(type, id);
    const etag = document === null ? undefined : stateOf(document)?.etag;
    const meta = document === null ? { 'if-none-match': '*' } : { 'if-match': etag };
    this[tests].push({ operation: { op: 'test', ref: { type, id }, meta } });
    return document;
  }

  /** Creates a document. What comes back stands for it in later operations of the list. */
  create<T extends Name<S>>(
    type: T,
    values: New<S, T>,
    { acl }: { readonly acl?: Partial<Rights> } = {},
  ): Target<T> {
    // A local id is all that links need; the id is known when the list is done.
    const made = { type, lid: String(this[steps].length) };
    const data = { ...made, ...newData(values, acl) };
    this[steps].push({ operation: { op: 'add', data }, known: linked(values) });
    return made as unknown as Target<T>;
  }

  /** Stores what has changed of a document, if it is still as it was read. */
  save(document: Link): void {
    const data = changedData(document);
    const state = stateOf(document);
    if (data === undefined || state === undefined) return;
    const note = (etag: string | undefined) => {
      remember(document, merged(state.resource, data), etag);
    };
    const meta = state.etag !== undefined && { meta: { 'if-match': state.etag } };
    this[steps].push({
      operation: { op: 'update', data: { ...refOf(document), ...data }, ...meta },
      saved: { document: document as Any, note },
    });
  }

  /** Changes a document, however it is. */
  update<T extends Name<S>>(document: Target<T>, changes: Changes<S, T>): void {
    const data = { ...refOf(document), ...dataOf(changes) };
    this[steps].push({ operation: { op: 'update', data }, known: linked(changes) });
  }

  /** Deletes a document; one that was read, if it is still as it was. */
  delete(document: Link): void {
    const etag = stateOf(document)?.etag;
    const meta = etag !== undefined && { meta: { 'if-match': etag } };
    this[steps].push({ operation: { op: 'remove', ref: refOf(document), ...meta } });
  }

  /** Adds links to a relationship. */
  link<T extends Name<S>, R extends Relationship<S, T>>(
    document: Target<T>,
    name: R,
    targets: readonly Target<TypeBehind<S, T, R>>[],
  ): void {
    const ref = { ...refOf(document), relationship: name };
    this[steps].push({ operation: { op: 'add', ref, data: linksOf(targets) } });
  }

  /** Removes links from a relationship. */
  unlink<T extends Name<S>, R extends Relationship<S, T>>(
    document: Target<T>,
    name: R,
    targets: readonly Target<TypeBehind<S, T, R>>[],
  ): void {
    const ref = { ...refOf(document), relationship: name };
    this[steps].push({ operation: { op: 'remove', ref, data: linksOf(targets) } });
  }
}

/** What became of a step: results of changed links, and of deletions, have no document. */
export function outcomeOf({ saved, known = [], operation }: Step, result: OperationResult): Outcome<Any> {
  const { data, meta } = result;
  if (meta?.errors !== undefined) {
    return { error: new ForedgeError(Number(meta.errors[0]?.status), meta.errors) };
  }
  if (saved !== undefined) {
    saved.note(meta?.etag);
    return { document: saved.document };
  }
  const isDocument = operation.ref === undefined && data != null;
  return { document: (isDocument && documentsOf({ data }, meta?.etag, known)[0]) || null };
}

const refOf = (document: Link): object => linksOf(document) as object;

/** The documents among values. */
export const linked = (values: object): readonly Any[] =>
  Object.values(values).flat().filter(isLink) as Any[];
