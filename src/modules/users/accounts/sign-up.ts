/** Creating users: by trusted keys, and by people themselves where the account settings are open to that. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { isLanguage, NO_LANGUAGE } from '../../../domain/accounts/templates.ts';
import { PENDING, readAddress } from '../../../domain/accounts/settings.ts';
import { fail, failed, gravest, problem, type Outcome, type Problem } from '../../../domain/problems.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import { isFieldName } from '../../../domain/field-names.ts';
import { isParsedObject, memberAt, type Parsed } from '../../../domain/values/json.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import { answerStored, createDocument, storeNew } from '../../documents/write/creating.ts';
import { updateDocument } from '../../documents/handlers.ts';
import { readDocument, type SubmittedDocument } from '../../documents/body/read-body.ts';
import type { Answer, Handler, RequestContext } from '../../endpoint.ts';
import { faultAt, faultOfLinks, missing } from '../../documents/attributes.ts';
import { storeAction } from './actions.ts';
import { refusalOf, mailOfChange, isFresh, logInAgain, userOf } from './begun.ts';
import { faultsOfPassword } from './common-passwords.ts';
import { accountSettings, type HeldSettings } from './settings.ts';

const MEMBERS = 'users';
const OWN = ['username', 'password', 'email', 'language'];
/** What somebody is called. */
const NAMES = ['username', 'email', 'confirmed-email'];

/** Under ACL a user would create another user: only a trusted service may (decisions, section 4), and nobody for themselves. */
export const createUser: Handler = async (context) => {
  const { access } = context;
  if (!isUnderAcl(access)) return createDocument(context);
  if (access.holder !== null)
    return fail('forbidden', 'Users are created by a permission without ACL.', { header: 'api-key' });
  const settings = await accountSettings(context);
  return settings?.signUp === 'open'
    ? signUp(context, settings)
    : fail('token-required', 'Send a valid user token in the Authorization header.', {
        header: 'Authorization',
      });
};

async function signUp(context: RequestContext, settings: HeldSettings): Promise<Outcome<Answer>> {
  const submitted = readDocument(context.body, CORE.user, null);
  if (!submitted.ok) return submitted;
  const faults = faultsOfSignUp(submitted.value, settings);
  if (faults.length > 0) return failed(...gravest(faults));
  const { attributes } = submitted.value.content;
  const username = textAt(attributes, 'username') ?? null;
  // Before the password is hashed: that is the dearest step.
  const refused = await refusalOf(context, `sign-up ${username}`);
  if (refused !== null) return refused;
  const pending = settings.confirm === 'before-login' ? { [PENDING]: true } : undefined;
  const stored = await storeNew(context, undefined, pending);
  if (!stored.ok) return stored;
  await join(context, settings, stored.value.document.id);
  // Whoever gets no mail now asks for another.
  const begun = { kind: 'confirm-address', username, email: null, returnTo: null, language: null } as const;
  await storeAction(context, settings, begun, readAddress(textAt(attributes, 'email')) ?? null);
  return answerStored(context, stored.value);
}

/** Adds a new user to the groups of the settings. A group that is full or gone keeps nobody from signing up. */
export async function join(context: RequestContext, { groups }: HeldSettings, id: DocumentId): Promise<void> {
  if (!isFieldName(MEMBERS)) throw new Error('Groups have no members.');
  const joined = { kind: 'add-links', name: MEMBERS, linkage: [{ type: CORE.user, id }] } as const;
  for (const group of groups)
    await collectionOf(context, CORE.userGroup).update(group.id, joined, { ...TRUSTED, ifMatch: null });
}

/** Where there are account settings, a password that users set is one of these, and a stolen token changes no way in. */
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
      return fail('forbidden', 'Users change their own password and address alone.', {
        header: 'Authorization',
      });
    if (!isFresh(context)) return logInAgain();
  }
  const names = [username, email].filter((each) => typeof each === 'string');
  const own = [...names, ...NAMES.map((name) => textAt(read.document.attributes, name))];
  const faults = [
    ...(isNew('username', username) && typeof username === 'string' ? faultsOfName(username) : []),
    ...(sets && typeof password === 'string' ? faultsOfPassword(password, settings.passwordLength, own) : []),
  ];
  if (faults.length > 0) return failed(...faults);
  const updated = await updateDocument(context);
  if (updated.ok && sets) await mailOfChange(context, settings, read.document);
  return updated;
};

/** Whether an operator names an attribute, or gives another one its name. */
function operatesOn(update: Parsed | undefined, attribute: string): boolean {
  return Object.values(isParsedObject(update) ? update : {}).some(
    (changes) => isParsedObject(changes) && Object.entries(changes).flat().includes(attribute),
  );
}

/** What somebody may not give, or must, beyond what the kind of users checks. */
function faultsOfSignUp({ content, grants }: SubmittedDocument, settings: HeldSettings): readonly Problem[] {
  const { attributes, relationships } = content;
  return [
    ...Object.keys(relationships).map((name) => faultOfLinks(name, 'A sign-up has no relationships.')),
    ...(grants === null
      ? []
      : fail('field-not-permitted', 'A sign-up gives no rights.', { pointer: '/data/meta/acl' }).problems),
    ...(Object.hasOwn(attributes, 'email') ? [] : [missing('email')]),
    ...(Object.hasOwn(attributes, 'email') && readAddress(textAt(attributes, 'email')) === undefined
      ? [faultAt('/email', 'This is no e-mail address.')]
      : []),
    ...faultsOfAccount(attributes, settings),
  ];
}

/** The same for who is invited. */
export function faultsOfAccount(
  attributes: Readonly<Record<string, unknown>>,
  { fields, passwordLength, required }: HeldSettings,
): readonly Problem[] {
  const [username, password, email, language = 'en'] = OWN.map((name) => memberOf(attributes, name));
  const own = [username, email].filter((each) => typeof each === 'string');
  const known = [...OWN, ...fields, ...required];
  return [
    ...Object.keys(attributes)
      .filter((name) => !known.includes(name))
      .map((name) =>
        problem('field-not-permitted', `A sign-up does not give ${name}.`, {
          pointer: `/data/attributes/${name}`,
        }),
      ),
    ...required.filter((name) => (memberOf(attributes, name) ?? null) === null).map(missing),
    ...(typeof language === 'string' && isLanguage(language) ? [] : [faultAt('/language', NO_LANGUAGE)]),
    ...(typeof username === 'string' ? faultsOfName(username) : []),
    ...(typeof password === 'string' ? faultsOfPassword(password, passwordLength, own) : []),
  ];
}

/** Else somebody could take the address of somebody else as their name, and be taken for them. */
function faultsOfName(username: string | undefined): readonly Problem[] {
  return username?.includes('@') === true ? [faultAt('/username', 'A user name has no @ here.')] : [];
}
