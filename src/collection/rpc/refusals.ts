/** Answers that must be the same everywhere: a difference would reveal a secret, or their texts tell them apart. */
import type { DocumentId } from '../../domain/ids.ts';
import { fail, type Outcome } from '../../domain/problems.ts';
import type { Right } from '../../domain/rights.ts';
import type { Principal } from '../../domain/rules.ts';
import { CORE } from '../../domain/types.ts';
import type { Which } from './history.ts';

/** The answer to a request whose precondition does not hold. */
export function notAs(header: 'If-Match' | 'If-Unmodified-Since') {
  return fail('precondition-failed', `The document is not as the ${header} header says.`, { header });
}

/** One answer for every conflict of a change with the stored document, if the viewer may not read it. */
export function changeRefused() {
  return fail('change-refused', 'The document refuses this change. Only who may read it is told the reason.');
}

/** The detail of the refusal of a write whose rules have looked at documents that changed meanwhile: it begins anew. */
export const SEEN_CHANGED = 'The linked documents that a rule looks at change all the time.';

/** Seconds after which what was looked at may have come to rest. */
const AGAIN = 1;

export function seenChanged() {
  return fail('unavailable', SEEN_CHANGED, undefined, { 'retry-after': AGAIN });
}

/** What of a rule may be told: the condition, and where it looks. */
export interface SeenRefusal {
  readonly at: string;
  readonly pointer?: string;
  /** The check of the type, where the rule is none of the key. */
  readonly check?: { readonly name: string; readonly message: string | null };
}

/** The answer to every write that the rule of the permission, or a check of the type, refuses. */
export function ruleViolated(seen?: SeenRefusal) {
  if (seen === undefined) return fail('rule-violated', 'A rule does not take the document, or its deletion.');
  const { at, pointer, check } = seen;
  const source = pointer === undefined ? undefined : { pointer };
  if (check === undefined) return fail('rule-violated', OF_KEY, source, { pointer: at });
  const detail = check.message ?? `The type has the check ${check.name}, which does not hold.`;
  return fail('rule-violated', detail, source, { check: check.name, pointer: at });
}

const OF_KEY = 'The rule of the API key does not take the document as this would leave it.';

/** Where each right stands, in words. */
const RIGHT: Readonly<Record<Right, string>> = {
  read: 'the right read, which its .acl, or the settings of its type, give',
  update: 'the right update, which its .acl, or the settings of its type, give',
  delete: 'the right delete, which its .acl, or the settings of its type, give',
  'super-read': 'the right read of its ACL, which its .acl.acl gives',
  'super-update': 'the right update of its ACL, which its .acl.acl gives',
};

/**
 * One answer for every lack of a right, whether or not the document exists (decisions, section 4): it depends on what
 * is asked and on how the key admits it, and on nothing that is stored.
 */
export function forbidden(right: Right, { viewer }: Pick<Principal, 'viewer'>) {
  return fail(
    'forbidden',
    viewer === null
      ? 'There is no such document, or the rule of the API key does not show it.'
      : `There is no such document, or the user lacks ${RIGHT[right]}.`,
    undefined,
    viewer === null ? undefined : { right },
  );
}

/** One answer for every document that the settings of its type do not let the user create, whatever it links to. */
export function createForbidden() {
  return fail(
    'forbidden',
    'The settings of the type do not let the user create a document with these links.',
    undefined,
    { right: 'create' },
  );
}

/** One answer for every invalid cursor, whatever it names. */
export function staleCursor(): Outcome<never> {
  const detail =
    'The cursor does not belong to this list and viewer, or its document has changed: begin again with an empty one.';
  return fail('invalid-parameter', detail, { parameter: 'page[after]' });
}

/** One answer for every version that is not there, or that who asks may not see. */
export function noVersion(id: DocumentId, which: Which) {
  const version = typeof which === 'number' ? which : `of ${new Date(which.at).toISOString()}`;
  const detail = `There is no version ${version} of a document ${id}: it never was, or is not kept any more.`;
  return fail('version-not-found', detail);
}

/** The refusal of whatever would remove what is held until a time, whoever asks. */
export function historyHeld(until: number) {
  return fail(
    'history-held',
    `A history is held until ${new Date(until).toISOString()}: till then nobody can remove it.`,
  );
}

/** What a client is told that has chosen an id where the settings of the type do not let it. */
export const CHOSEN_ID =
  'The service gives documents their ids: leave id out, or, for links within the request, send a lid. ' +
  `Clients choose ids of types whose settings (${CORE.typeSettings}) say "client-ids": true.`;

export function grantsRefused() {
  const detail = 'The settings of the type give the rights: only a service may give others.';
  return fail('forbidden', detail, { pointer: '/data/meta/acl' });
}
