/** Creating users: by trusted keys, and by people themselves where the account settings are open to that. */
import { tokenRequired } from '../../../auth/decision.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Written } from '../../../collection/rpc/results.ts';
import { isLanguage, NO_LANGUAGE } from '../../../domain/accounts/templates.ts';
import { PENDING, readAddress } from '../../../domain/accounts/settings.ts';
import {
  fail,
  failed,
  gravest,
  pointerIn,
  problem,
  type Outcome,
  type Problem,
} from '../../../domain/problems.ts';
import { pathOfType } from '../../../domain/addresses/paths.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import { isFieldName } from '../../../domain/field-names.ts';
import { isParsedObject, memberAt, type Parsed, type ParsedObject } from '../../../domain/values/json.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { answerStored, createDocument, storeNew } from '../../documents/write/creating.ts';
import { updateDocument } from '../../documents/handlers.ts';
import { readDocument, type SubmittedDocument } from '../../documents/body/read-body.ts';
import type { Answer, Handler, RequestContext } from '../../endpoint.ts';
import { PathParameters } from '../../path-parameters.ts';
import { faultAt, faultOfLinks, missing } from '../../documents/attributes.ts';
import { storeAction } from './actions.ts';
import { refusalOf, mailOfChange, isFresh, logInAgain, userOf } from './begun.ts';
import { faultsOfPassword } from './common-passwords.ts';
import { accountSettings, closed, type HeldSettings } from './settings.ts';

const MEMBERS = 'users';
const OWN = ['username', 'password', 'email', 'language'];
/** What somebody is called. */
const NAMES = ['username', 'email', 'confirmed-email'];

/** Under ACL users would create users: only a trusted service may (decisions, section 4), and nobody for themselves. */
export const createUser: Handler = async (context) => {
  const { access } = context;
  if (!isUnderAcl(access)) return createDocument(context);
  if (access.holder !== null)
    return fail('forbidden', 'Users are created by a permission without ACL.', { header: 'api-key' });
  const settings = await accountSettings(context);
  return settings?.signUp === 'open' ? signUp(context, settings) : tokenRequired();
};

async function signUp(context: RequestContext, settings: HeldSettings): Promise<Outcome<Answer>> {
  const submitted = readDocument(context.body, CORE.user, null);
  if (!submitted.ok) return submitted;
  const faults = faultsOfSignUp(submitted.value);
  const pending = settings.confirm === 'before-login' ? { [PENDING]: true } : {};
  const stored = await openAccount(context, settings, { made: pending, faults });
  return stored.ok ? answerStored(context, stored.value) : stored;
}

/** The request as a sign-up with these attributes. */
export function asSignUp(context: RequestContext, attributes: ParsedObject): RequestContext {
  const body = { data: { type: CORE.user, attributes } };
  return { ...context, parameters: new PathParameters(CORE.user), body };
}

interface Opening {
  /** What the service adds. */
  readonly made: Fields;
  readonly isInvited?: boolean;
  /** Of the body, beyond those of every account. */
  readonly faults?: readonly Problem[];
}

/**
 * Makes the account of the body, whatever its owner has proven. It is the only way to one: each heeds the key's rule
 * for a sign-up, the settings, schemas, rights and quotas.
 */
export async function openAccount(
  context: RequestContext,
  settings: HeldSettings,
  { made, isInvited = false, faults = [] }: Opening,
): Promise<Outcome<Written<Document>>> {
  if (settings.signUp !== 'open' && !(isInvited && settings.signUp === 'invited')) return closed();
  // Whose token came along gets no right on the account.
  const access = context.access.strangerAt('post', pathOfType(CORE.user));
  if (access === null)
    return fail('forbidden', 'The API key does not permit sign-ups.', { header: 'api-key' });
  const sent = memberAt(context.body, 'data', 'attributes');
  const attributes = isParsedObject(sent) ? sent : {};
  const all = [...faults, ...faultsOfAccount(attributes, settings, made)];
  if (all.length > 0) return failed(...gravest(all));
  const username = textAt(attributes, 'username') ?? null;
  // Before the password is hashed: that is the dearest step.
  const refused = await refusalOf(context, 'sign-up', username);
  if (refused !== null) return refused;
  const stored = await storeNew({ ...context, access }, undefined, made);
  if (!stored.ok) return stored;
  await join(context, settings, stored.value.document.id);
  const email = readAddress(memberOf(stored.value.document.attributes, 'email')) ?? null;
  if (email === null || memberOf(made, 'confirmed-email') === email) return stored;
  // Whoever gets no mail now asks for another.
  const begun = { kind: 'confirm-address', username, email: null, returnTo: null, language: null } as const;
  await storeAction(context, settings, begun, email);
  return stored;
}

/** The place of an attribute, or, for one that lacks, of all of them. */
export const OF_ATTRIBUTES = /^[/]data[/]attributes(?=[/]|$)[/]?(.*)$/;

/** A fault of an attribute that came in `meta`: in `attributes` there, but for those of these names. */
export function inMeta(fault: Problem, own: readonly string[] = []): Problem {
  const [, name] = OF_ATTRIBUTES.exec(pointerIn(fault)) ?? [];
  if (name === undefined) return fault;
  return {
    ...fault,
    source: { pointer: `/meta${own.includes(name) ? '' : '/attributes'}${name && `/${name}`}` },
  };
}

/** Adds a new user to the groups of the settings. A group that is full or gone keeps nobody from signing up. */
async function join(context: RequestContext, { groups }: HeldSettings, id: DocumentId): Promise<void> {
  if (!isFieldName(MEMBERS)) throw new Error('Groups have no members.');
  const joined = { kind: 'add-links', name: MEMBERS, linkage: [{ type: CORE.user, id }] } as const;
  for (const group of groups)
    await collectionOf(context, CORE.userGroup).update(group.id, joined, { ...TRUSTED, ifMatch: null });
}

/** With account settings, a password that users set is one of these, and a stolen token changes no way in. */
export const updateUser: Handler = async (context) => {
  const { access, body } = context;
  const [username, password, email] = ['username', 'password', 'email'].map((name) =>
    memberAt(body, 'data', 'attributes', name),
  );
  const update = memberAt(body, 'data', 'meta', 'update');
  const isMoved = operatesOn(update, 'email');
  const isNamed = username !== undefined || operatesOn(update, 'username');
  if (!isUnderAcl(access) || !(isNamed || isMoved || password !== undefined || email !== undefined))
    return updateDocument(context);
  const [settings, read] = await Promise.all([
    accountSettings(context),
    collectionOf(context, CORE.user).read(context.parameters.id, TRUSTED),
  ]);
  if (settings === null || read.state !== 'found') return updateDocument(context);
  const isNew = (name: string, value: unknown) =>
    value !== undefined && value !== textAt(read.document.attributes, name);
  // A hash that comes back is no new password.
  const sets = isNew('password', password);
  if (sets || isMoved || isNew('email', email)) {
    // A right on a user outlives a stolen token that has given it away, and lets nobody in.
    if (userOf(context) !== context.parameters.id)
      return fail('forbidden', 'Users can only change their own password and address.', {
        header: 'Authorization',
      });
    if (!isFresh(context)) return logInAgain();
  }
  const names = [username, email].filter((each) => typeof each === 'string');
  const own = [...names, ...NAMES.map((name) => textAt(read.document.attributes, name))];
  const faults = [
    ...(isNew('username', username) && typeof username === 'string' ? faultsOfName(username) : []),
    ...(sets && typeof password === 'string' ? faultsOfPassword(password, settings, own) : []),
  ];
  if (faults.length > 0) return failed(...faults);
  const updated = await updateDocument(context);
  const isRenamed = isNew('username', username) || operatesOn(update, 'username');
  if (updated.ok && (sets || isRenamed)) await mailOfChange(context, settings, read.document);
  return updated;
};

/** Whether an operator names an attribute, or gives another one its name. */
function operatesOn(update: Parsed | undefined, attribute: string): boolean {
  return Object.values(isParsedObject(update) ? update : {}).some(
    (changes) => isParsedObject(changes) && Object.entries(changes).flat().includes(attribute),
  );
}

/** What somebody may not give, or must, beyond what the kind of users checks. */
function faultsOfSignUp({ content, grants }: SubmittedDocument): readonly Problem[] {
  const { attributes, relationships } = content;
  return [
    ...Object.keys(relationships).map((name) => faultOfLinks(name, 'A sign-up has no relationships.')),
    ...(grants === null
      ? []
      : fail('field-not-permitted', 'A sign-up gives no rights.', { pointer: '/data/meta/acl' }).problems),
    ...(Object.hasOwn(attributes, 'email') ? [] : [missing('email')]),
  ];
}

function faultsOfAccount(attributes: ParsedObject, settings: HeldSettings, made: Fields): readonly Problem[] {
  const { fields, required } = settings;
  const [username, password, email, language = 'en'] = OWN.map((name) => memberOf(attributes, name));
  const own = [username, email].filter((each) => typeof each === 'string');
  const known = [...OWN, ...fields, ...required];
  // That an account has no password is none.
  const saidFor = (name: string) => (OWN.includes(name) ? null : memberOf(made, name));
  const [address, proven] = [readAddress(textAt(attributes, 'email')), textAt(made, 'confirmed-email')];
  return [
    ...Object.keys(attributes)
      .filter((name) => !known.includes(name))
      .map((name) =>
        problem('field-not-permitted', `A sign-up does not give ${name}.`, {
          pointer: `/data/attributes/${name}`,
        }),
      ),
    ...required.filter((name) => (memberOf(attributes, name) ?? saidFor(name) ?? null) === null).map(missing),
    ...(email !== undefined && address === undefined
      ? [faultAt('/email', 'This is no e-mail address.')]
      : proven !== undefined && address !== proven
        ? [faultAt('/email', 'The address is the one that was proven.')]
        : []),
    ...(typeof language === 'string' && isLanguage(language) ? [] : [faultAt('/language', NO_LANGUAGE)]),
    ...(typeof username === 'string' ? faultsOfName(username) : []),
    ...(typeof password === 'string' ? faultsOfPassword(password, settings, own) : []),
  ];
}

/** Else somebody could take the address of somebody else as their name, and be taken for them. */
function faultsOfName(username: string | undefined): readonly Problem[] {
  return username?.includes('@') === true ? [faultAt('/username', 'A user name has no @ here.')] : [];
}
