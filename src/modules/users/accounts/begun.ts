/** How account actions begin: their bodies, the limit, and those that send no mail. */
import { CORE } from '../../../domain/types.ts';
import { actionsUnderWay } from '../../../collection/rpc/maintenance/accounts.ts';
import { tokenRequired } from '../../../auth/decision.ts';
import { loginGate } from '../../../auth/login/gate.ts';
import { type AccountSettings, CHANGED, minutesOf, type NOTICES } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, failed, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { present, type Presentable } from '../../../domain/values/present.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { faultAt, faultsOfLinks } from '../../documents/attributes.ts';
import { readDocument, type SubmittedDocument } from '../../documents/body/read-body.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { ownOf, type HeldSettings } from './settings.ts';
import type { Document, Link } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { textAt } from '../../../domain/values/tree.ts';

/** The attributes of the body, which has those of these names beside its kind, and nothing else; null for any. */
export function readBegun(
  { body }: RequestContext,
  kind: string,
  names: readonly string[] | null = [],
): Outcome<Fields> {
  const submitted = readDocument(body, CORE.accountAction, null);
  if (!submitted.ok) return submitted;
  const { content } = submitted.value;
  const has = ['its kind', ...(names ?? [])].join(' and ');
  const faults = [
    ...faultsOfBody(submitted.value),
    ...Object.keys(content.attributes)
      .filter((name) => name !== 'kind' && names?.includes(name) === false)
      .map((name) => faultAt(`/${name}`, `A ${kind} has ${has} alone.`)),
  ];
  return faults.length > 0 ? failed(...faults) : ok(content.attributes);
}

/** What the body of no action has: an id, relationships. */
function faultsOfBody({ content, id, problems }: SubmittedDocument): readonly Problem[] {
  return [
    ...problems,
    ...(id === null
      ? []
      : fail('client-id', 'The service makes the ids of actions.', { pointer: '/data/id' }).problems),
    ...faultsOfLinks('An account action', content.relationships),
  ];
}

/** One failure for all causes: nobody learns whether there is such an action or account. `member`: what was sent. */
export function invalidCode(member: 'code' | 'response' | 'callback') {
  return fail('invalid-code', 'The code is wrong, or was used, or has ended.', {
    pointer: `/meta/${member}`,
  });
}

/** Whether others have written the document meanwhile. */
export function isConflict(problems: readonly { readonly code: string }[]): boolean {
  return problems.some(({ code }) => code === 'precondition-failed');
}

/**
 * Why nobody may begin one more of a kind for a subject; null if somebody may. A stranger who has no name yet (null) is
 * counted by the client's address alone, or with all others of the application whose addresses are unknown.
 */
export async function refusalOf(
  context: RequestContext,
  kind: string,
  subject: string | null,
): Promise<Outcome<never> | null> {
  const gate = loginGate(context, `${kind} ${subject ?? crypto.randomUUID()}`, 'account actions');
  const refused = gate.refusal() ?? (await gate.failed());
  return refused !== null || subject !== null ? refused : refusalOfStranger(context, kind);
}

/** The same of a stranger whose address is unknown: these have a limit together. `before`: an action that is stored. */
async function refusalOfStranger(
  context: RequestContext,
  kind: string,
  before?: DocumentId,
): Promise<Outcome<never> | null> {
  if (context.address !== null || !isUnderAcl(context.access)) return null;
  if ((await actionsUnderWay(context, kind, before)) < LIMITS.actionsUnderWay) return null;
  const detail = 'There are too many account actions of clients whose addresses are unknown.';
  return fail('too-many-requests', detail, undefined, { 'retry-after': MINUTE });
}

/** In seconds. */
const MINUTE = 60;

/** Stores an action that sends no mail, and answers what is shown of it. No `created`: that counts those with mails. */
export async function begin(
  context: RequestContext,
  { minutes }: Pick<AccountSettings, 'minutes'>,
  attributes: Fields & { readonly kind: string },
  show: (id: DocumentId) => Promise<Readonly<Record<string, Presentable>>>,
): Promise<Outcome<Answer>> {
  const stored = await storeEnding(context, minutes, attributes);
  if (!stored.ok) return stored;
  const { document } = stored.value;
  const late = Object.hasOwn(attributes, 'user')
    ? null
    : await refusalOfStranger(context, attributes.kind, document.id);
  if (late === null) return answerBegun(document, await show(document.id));
  await ownOf(context, CORE.accountAction).remove(document.id);
  return late;
}

/** Stores an action that ends after so many minutes. */
export function storeEnding(context: RequestContext, minutes: number, attributes: Fields) {
  const expires = new Date(Date.now() + minutes * 60_000);
  return ownOf(context, CORE.accountAction).add({ ...attributes, expires });
}

export function answerBegun(
  { id, attributes }: Document,
  more: Readonly<Record<string, Presentable>> = {},
): Outcome<Answer> {
  const { kind = null, expires = null } = attributes;
  const shown = { kind: present(kind), expires: present(expires), ...more };
  const data = { type: CORE.accountAction, id, attributes: shown };
  return ok({ status: 201, document: { data }, confidential: true });
}

/** A way in or a second factor that was changed, where the user has a confirmed address. */
export async function mailOfChange(
  context: RequestContext,
  settings: HeldSettings,
  { id, attributes }: Pick<Document, 'id' | 'attributes'>,
): Promise<void> {
  const email = textAt(attributes, 'confirmed-email');
  if (email !== undefined) await mailNotice(context, settings, CHANGED, { user: id, email });
}

/** Tells a user of a change. No limit: else whoever takes an account over would use it up first. */
export async function mailNotice(
  context: RequestContext,
  settings: HeldSettings,
  kind: (typeof NOTICES)[number],
  { user, email }: { readonly user: DocumentId; readonly email: string },
): Promise<void> {
  // What is asked for an address is counted by its subject: this was not.
  const attributes = {
    kind,
    subject: `${kind} ${email}`,
    email,
    address: email,
    user,
    tries: 0,
    created: new Date(),
  };
  await storeEnding(context, minutesOf(kind, settings), attributes);
}

/** The user of the request, as a token says it. */
export function userOf({ access: { holder } }: RequestContext): DocumentId | null {
  return holder?.token.holder.type === CORE.user ? holder.token.holder.id : null;
}

export function loggedInUser(context: RequestContext): Outcome<DocumentId> {
  const user = userOf(context);
  return user === null ? tokenRequired() : ok(user);
}

/** Whoever sends a request with a token of the last ten minutes. */
export function freshHolderOf(context: RequestContext): Outcome<Link> {
  const { holder } = context.access;
  if (holder === null) return tokenRequired();
  return isFresh(context) ? ok(holder.token.holder) : logInAgain();
}

/** The same of users whom no other service manages. */
export function freshUserOf(context: RequestContext): Outcome<DocumentId> {
  const user = loggedInUser(context);
  return !user.ok || isFresh(context) ? user : logInAgain();
}

export function isFresh({ access: { holder } }: RequestContext): boolean {
  return Date.now() - (holder?.token.created ?? 0) <= LIMITS.freshLogin;
}

export function logInAgain(why = 'the login is older than ten minutes') {
  return tokenRequired(`Log in again: ${why}.`);
}
