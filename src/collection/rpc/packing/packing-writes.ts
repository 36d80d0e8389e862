/** Writes on their way into an object: content in the stored encoding, which the object need not decode. */
import { encodeText } from '../../../domain/values/codec.ts';
import type { Content, Link } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { problem } from '../../../domain/problems.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { packContent } from '../../../domain/values/stored.ts';
import {
  unitsOfChange,
  type Change,
  type Draft,
  type Failure,
  type Operation,
} from '../writes/operations.ts';

/** A document to be created, as the Worker has it. */
export interface NewDocument
  extends
    Pick<Draft, 'id' | 'given' | 'own' | 'unique' | 'once' | 'grants' | 'viewer'>,
    Partial<Pick<Draft, 'rule'>> {
  readonly content: Content;
  /** Identities that get every right; none by default. */
  readonly owners?: readonly string[];
  /** The user behind the request, if it is known; not by default. */
  readonly creator?: Link | null;
  /** True when the document is an identity that gets every right on itself. */
  readonly ownsItself?: boolean;
  /** Attributes as sent, where they are stored in another form: for schemas. */
  readonly asSent?: Fields | null;
}

export function packDraft({
  asSent = null,
  content,
  creator = null,
  owners = [],
  ownsItself = false,
  rule = null,
  ...rest
}: NewDocument): Draft {
  return {
    ...rest,
    content: packContent(content),
    owners,
    ownsItself,
    rule,
    ...(creator !== null && { creator }),
    ...(asSent !== null && { overlay: encodeText(asSent) }),
  };
}

export function packChange(change: Change<Content>): Change {
  return change.kind === 'merge' ? { ...change, content: packContent(change.content) } : change;
}

/** The packed operations, or the failure of the first operation whose documents exceed the size of a list. */
export function packOperations(
  operations: readonly Operation<Content>[],
):
  | { readonly ok: true; readonly packed: readonly Operation[] }
  | { readonly ok: false; readonly failure: Failure } {
  const packed: Operation[] = [];
  let units = 0;
  for (const [at, operation] of operations.entries()) {
    const each = packOperation(operation);
    units += unitsOf(each);
    if (units > LIMITS.operationsWork) {
      const detail = `The documents of a list have at most ${LIMITS.operationsWork} characters together.`;
      return { ok: false, failure: { at, problems: [problem('list-too-large', detail)], missing: [] } };
    }
    packed.push(each);
  }
  return { ok: true, packed };
}

function packOperation(operation: Operation<Content>): Operation {
  switch (operation.kind) {
    case 'add':
      return { ...operation, content: packContent(operation.content) };
    case 'change':
      return { ...operation, change: packChange(operation.change) };
    case 'acl':
    case 'remove':
    case 'test':
      return operation;
  }
}

function unitsOf(operation: Operation): number {
  if (operation.kind === 'add') return operation.content.body.length;
  return operation.kind === 'change' ? unitsOfChange(operation.change) : 0;
}
