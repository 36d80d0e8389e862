/** The kinds of identity providers, and of who users are there (docs/accounts.md#identity-providers). */
import { isSafeAddress } from '../../../auth/issuers.ts';
import { faultOfAddress } from '../../../domain/addresses/outward.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { withoutSecrets } from '../../../domain/secrets.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import { oneOf } from '../../../domain/names.ts';
import { failed, ok, type Problem, problem } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { isList, memberOf, textAt } from '../../../domain/values/tree.ts';
import { isFields, type Fields, type Value } from '../../../domain/values/values.ts';
import { isNewFieldName } from '../../../domain/field-names.ts';
import {
  checked,
  faultAt,
  type AttributeCheck,
  faultsOfLinks,
  faultsOfNames,
  orNone,
} from '../../documents/attributes.ts';
import { attributesOf } from '../../contents/own-types.ts';
import type { DocumentKind } from '../../documents/kind.ts';
import type { RequestContext } from '../../endpoint.ts';
import { faultOfName } from '../accounts/kinds.ts';
import { isSigningKey, sealSecret } from './secrets.ts';
import { passkeyOf } from '../../../domain/accounts/ceremonies.ts';
import { ENDPOINTS, preparedFor } from '../../../domain/accounts/providers.ts';

export const PROVIDERS: DocumentKind = {
  validate: ({ attributes, relationships }, whole, _, context) => [
    ...faultsOfNames(CORE.identityProvider, attributes),
    ...checked(CORE.identityProvider, attributes, whole, {
      name: (value) =>
        typeof value === 'string' && /^[a-z0-9-]{1,32}$/.test(value)
          ? undefined
          : 'The name has 1 to 32 small letters, digits and -.',
      ...Object.fromEntries(
        ['issuer', ...ENDPOINTS, 'emails-endpoint'].map((name) => [
          name,
          (value: Value) => faultOfEndpoint(name, value, context),
        ]),
      ),
      'client-id': faultOfText,
      ...orNone({
        'client-secret': faultOfText,
        'key-id': faultOfText,
        'team-id': faultOfText,
        claims: faultOfClaims,
        scopes: (value) =>
          isList(value) && value.length <= MOST && value.every((each) => faultOfText(each) === undefined)
            ? undefined
            : `The scopes are an array of at most ${MOST} texts.`,
      }),
    }),
    ...(whole && preparedFor(attributes) === undefined ? faultsOfEndpoints(attributes) : []),
    ...faultsOfLinks('An identity provider', relationships),
  ],
  prepare: async ({ attributes, relationships }, current, context) => {
    const before = await current();
    if (before !== null && takesSecretAway(before, attributes))
      return failed(faultAt('/client-secret', 'Where it goes to another address, send it again, or null.'));
    const all = { ...(before === null && preparedFor(attributes)), ...attributes };
    const secret = textAt(all, 'client-secret');
    const isKey = textAt({ ...before, ...all }, 'key-id') !== undefined;
    if (secret !== undefined && isKey && !(await isSigningKey(secret)))
      return failed(
        faultAt('/client-secret', 'Beside a key-id this is a private key for ES256, in PEM (PKCS #8).'),
      );
    const sealed = secret !== undefined && { 'client-secret': await sealSecret(context, secret) };
    return ok({ content: { attributes: { ...all, ...sealed }, relationships }, asSent: null });
  },
  attributes: ({ attributes }) => Promise.resolve(withoutSecrets(CORE.identityProvider, attributes)),
};

/** Whoever may change a provider could have its secret sent to themselves. */
function takesSecretAway(before: Fields, change: Fields): boolean {
  if (textAt(before, 'client-secret') === undefined || Object.hasOwn(change, 'client-secret')) return false;
  return ['issuer', ...ENDPOINTS].some(
    (name) => Object.hasOwn(change, name) && change[name] !== memberOf(before, name),
  );
}

/** Identities and second factors: the service makes them. An import brings what it has made. */
export const MADE: DocumentKind = {
  validate: ({ attributes }, _, __, context) =>
    context === undefined
      ? []
      : Object.keys(attributes).map((name) =>
          faultAt(`/${name}`, 'The service makes it.', 'read-only-member'),
        ),
  attributes: ({ attributes, type }) => Promise.resolve(withoutSecrets(type, attributes)),
};

/** Without an issuer to publish them. */
function faultsOfEndpoints(attributes: Fields): readonly Problem[] {
  if (memberOf(attributes, 'issuer') !== undefined) return [];
  const lacking = ENDPOINTS.filter((name) => memberOf(attributes, name) === undefined);
  const detail = `A provider has an issuer, or ${oneOf(ENDPOINTS, 'and')}.`;
  return lacking.length === 0 ? [] : [faultAt('', detail, 'missing-attribute')];
}

function faultOfEndpoint(
  name: string,
  value: Value,
  context: RequestContext | undefined,
): string | undefined {
  const parts = name === 'issuer' ? /[?#\s]/ : /[#\s]/;
  if (typeof value !== 'string' || !isSafeAddress(value) || parts.test(value))
    return `This is an https address without ${name === 'issuer' ? 'query and ' : ''}fragment.`;
  return faultOfAddress(value, context === undefined || settingsOf(context.environment).webhooksToPrivate);
}

/** What the service or the person says themselves is no claim of a provider. */
const OWN: ReadonlySet<string> = new Set([
  ...['email', 'language'],
  ...attributesOf(CORE.user).flatMap(({ name }) => (name === 'username' ? [] : name)),
]);

/** Of scopes, and of claims. */
const MOST = 20;

const faultOfClaims: AttributeCheck = (value) =>
  isFields(value) &&
  Object.keys(value).length <= MOST &&
  Object.entries(value).every(
    ([name, claim]) => isNewFieldName(name) && !OWN.has(name) && faultOfText(claim) === undefined,
  )
    ? undefined
    : `The claims are an object of at most ${MOST}: by the name of an attribute of users, a claim. ` +
      'Passwords, addresses, language and what the service makes are none.';

function faultOfText(value: Value): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.webhookUrl
    ? undefined
    : `This is a text of 1 to ${LIMITS.webhookUrl} characters.`;
}

const NAME = 'name';

export const PASSKEYS: DocumentKind = {
  validate: ({ attributes, relationships }, _, __, context) => [
    // An import brings what the service has made.
    ...Object.keys(attributes)
      .filter((name) => context !== undefined && name !== NAME)
      .map((name) => faultAt(`/${name}`, 'The service makes it.', 'read-only-member')),
    ...checked(CORE.passkey, attributes, false, { [NAME]: faultOfName }),
    ...faultsOfLinks('A passkey', relationships),
  ],
  faultsOfStored: ({ attributes }) =>
    passkeyOf(attributes) === undefined
      ? [problem('invalid-attribute', 'This is no passkey.', { pointer: '/data/attributes' })]
      : [],
  attributes: ({ attributes }) => Promise.resolve(withoutSecrets(CORE.passkey, attributes)),
};
