/** Creating users: by trusted keys, and by people themselves where the account settings are open to that. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { PENDING, readAddress } from '../../../domain/accounts/settings.ts';
import { fail, failed, gravest, problem, type Problem } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import { isFieldName } from '../../../domain/field-names.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { answerStored, createDocument, storeNew } from '../../documents/creating.ts';
import { readDocument } from '../../documents/body/read-body.ts';
import type { Handler, RequestContext } from '../../endpoint.ts';
import { faultAt, missing } from '../../documents/attributes.ts';
import { storeAction } from './actions.ts';
import { faultOfLinks } from './kinds.ts';
import { faultsOfPassword } from './passwords.ts';
import { accountSettings, type HeldSettings } from './settings.ts';

const MEMBERS = 'users';
const OWN = ['username', 'password', 'email'];

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

async function signUp(context: RequestContext, settings: HeldSettings) {
  const faults = faultsOfSignUp(context, settings);
  if (faults.length > 0) return failed(...gravest(faults));
  const pending = settings.confirm === 'before-login' ? { [PENDING]: true } : undefined;
  const stored = await storeNew(context, undefined, pending);
  if (!stored.ok) return stored;
  const { id, attributes } = stored.value.document;
  const user = { type: CORE.user, id };
  if (!isFieldName(MEMBERS)) throw new Error('Groups have no members.');
  const joined = { kind: 'add-links', name: MEMBERS, linkage: [user] } as const;
  for (const group of settings.groups)
    await collectionOf(context, CORE.userGroup).update(group.id, joined, { ...TRUSTED, ifMatch: null });
  const username = memberOf(attributes, 'username');
  const begun = { kind: 'confirm-address', email: null, returnTo: null } as const;
  await storeAction(context, settings, {
    ...begun,
    username: typeof username === 'string' ? username : null,
  });
  return answerStored(context, stored.value);
}

/** What somebody may not give, or must, beyond what the kind of users checks. */
function faultsOfSignUp(context: RequestContext, settings: HeldSettings): readonly Problem[] {
  const submitted = readDocument(context.body, CORE.user, null);
  if (!submitted.ok) return submitted.problems;
  const { attributes, relationships } = submitted.value.content;
  const [username, email, password] = ['username', 'email', 'password'].map((name) =>
    textAt(attributes, name),
  );
  return [
    ...Object.keys(attributes)
      .filter((name) => !OWN.includes(name) && !settings.fields.includes(name))
      .map((name) =>
        problem('field-not-permitted', `A sign-up does not give ${name}.`, {
          pointer: `/data/attributes/${name}`,
        }),
      ),
    ...Object.keys(relationships).map((name) => faultOfLinks(name, 'A sign-up has no relationships.')),
    ...(submitted.value.grants === null
      ? []
      : fail('field-not-permitted', 'A sign-up gives no rights.', { pointer: '/data/meta/acl' }).problems),
    ...(Object.hasOwn(attributes, 'email') ? [] : [missing('email')]),
    ...(Object.hasOwn(attributes, 'email') && readAddress(email) === undefined
      ? [faultAt('/email', 'This is no e-mail address.')]
      : []),
    // Else somebody could take the address of somebody else as their name, and be taken for them.
    ...(username?.includes('@') === true ? [faultAt('/username', 'A user name has no @ here.')] : []),
    ...(password === undefined ? [] : faultsOfPassword(password, settings.passwordLength, [username, email])),
  ];
}

function textAt(attributes: Fields, name: string): string | undefined {
  const value = memberOf(attributes, name);
  return typeof value === 'string' ? value : undefined;
}
