/** The kinds of users, groups, external users and tokens (spec, User to External user token). */
import { FACTOR, PENDING } from '../../domain/accounts/settings.ts';
import { endOf } from '../../auth/holder.ts';
import { signerOf } from '../../auth/credentials.ts';
import { faultOfHash, hashPassword, looksHashed, tooManyHashes } from '../../auth/passwords.ts';
import { claimsOf, endTokens, renewalOf } from '../../auth/tokens/documents.ts';
import { sealRefresh } from '../../auth/tokens/refresh.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { keyOf, type Document } from '../../domain/documents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok } from '../../domain/problems.ts';
import { isUnderAcl, withoutSecrets } from '../../domain/secrets.ts';
import { CORE } from '../../domain/types.ts';
import { isHolderType, typeInfo } from '../../domain/types/facts.ts';
import type { Value } from '../../domain/values/values.ts';
import type { Reader } from '../endpoint.ts';
import { checked } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { faultsOfTypes } from '../documents/linked/links.ts';
import { memberOf } from '../../domain/values/tree.ts';

const USERNAME = /^[A-Za-z0-9_.@-]{3,}$/;

export const USERS: DocumentKind = {
  guarded: new Set(['username', 'password', 'confirmed-email', PENDING, FACTOR]),
  validate: ({ attributes }, whole, _, context) =>
    checked(CORE.user, attributes, whole, {
      username: faultOfUsername,
      // An import brings what the service has made.
      ...(context !== undefined && {
        'confirmed-email': ofService,
        [PENDING]: ofService,
        [FACTOR]: ofService,
      }),
      // A PATCH may bring back the hash that answers show, and an import brings one.
      password: (value) =>
        whole && context !== undefined && typeof value === 'string' && looksHashed(value)
          ? HASHED
          : faultOfPassword(value),
    }),
  faultsOfStored: ({ attributes }) =>
    checked(CORE.user, attributes, false, {
      password: (value) => (typeof value === 'string' ? faultOfHash(value) : undefined),
    }),
  prepare: async (content, current) => {
    const password = memberOf(content.attributes, 'password');
    if (typeof password !== 'string') return ok({ content, asSent: null });
    // If the hash that answers show comes back with all other attributes, the password is unchanged.
    if (password.startsWith('$') && memberOf((await current()) ?? {}, 'password') === password) {
      const others = Object.entries(content.attributes).filter(([name]) => name !== 'password');
      return ok({ content: { ...content, attributes: Object.fromEntries(others) }, asSent: null });
    }
    const hash = await hashPassword(password);
    if (hash === null) return tooManyHashes();
    return ok({
      content: { ...content, attributes: { ...content.attributes, password: hash } },
      asSent: { password },
    });
  },
  attributes: (document, context) =>
    Promise.resolve(
      showsSecrets(document, context)
        ? document.attributes
        : withoutSecrets(document.type, document.attributes),
    ),
};

/** The hash is shown to the user and to keys without ACL (decisions, section 4), as at the document's own address. */
function showsSecrets(document: Document, { access }: Reader): boolean {
  const admitted = access.viewerOf(pathOfDocument(document.type, document.id));
  if (admitted === 'exhausted') return false;
  const admission = admitted ?? access;
  return !isUnderAcl(admission) || (admission.owner !== null && keyOf(admission.owner) === keyOf(document));
}

export const GROUPS: DocumentKind = {
  guarded: new Set(['users']),
  validate: ({ attributes, relationships }, whole, _, context) => [
    ...checked(CORE.userGroup, attributes, whole, {
      // An import brings what was stored before.
      ...(context !== undefined && { users: () => 'The members of a group are its relationship users.' }),
    }),
    ...faultsOfTypes(
      'users',
      memberOf(relationships, 'users') ?? null,
      isHolderType,
      'A group holds users and external users',
    ),
  ],
};

export const TOKENS: DocumentKind = {
  made: ['token'],

  /** Their values are not stored: signing, and sealing, the same again gives the same text. */
  attributes: async (document, { application, environment }) => {
    const { created = null } = document.attributes;
    const claims = claimsOf(application, document);
    if (claims === undefined) return { created };
    const token = await (await signerOf(environment)).sign(claims);
    const renewal = renewalOf(document);
    if (renewal === undefined) return { token, created };
    const expires = new Date(endOf(claims) * 1000);
    const { round } = renewal;
    if (round === undefined) return { token, created, expires };
    const next = { id: document.id, round };
    return { token, created, expires, 'refresh-token': await sealRefresh(environment, application, next) };
  },

  /** The token ends before its document is deleted: a crash in between leaves a document, never a valid token. */
  removing: async (document, context) => {
    const claims = claimsOf(context.application, document);
    if (claims === undefined) return ok(null);
    return endTokens(context, claims.holder.type, [{ id: document.id, holders: [keyOf(claims.holder)] }]);
  },

  /** Those who could read a token hold it. */
  burying: async (deletions, context) => {
    const { tokensOf } = typeInfo(context.parameters.type);
    if (tokensOf === undefined) return ok(null);
    return endTokens(
      context,
      tokensOf,
      deletions.map(({ id, readers }) => ({ id, holders: readers })),
    );
  },
};

const ofService = () => 'The service writes this attribute.';

function faultOfUsername(value: Value): string | undefined {
  return typeof value === 'string' && USERNAME.test(value) && value.length <= LIMITS.username
    ? undefined
    : `A username has 3 to ${LIMITS.username} letters, digits, and _ - . @.`;
}

const HASHED =
  'This looks like a hash, which would become the password itself: ' +
  'npm run app -- import takes users with their hashes.';

function faultOfPassword(value: Value): string | undefined {
  if (typeof value !== 'string' || Array.from(value).length < 6)
    return 'A password has at least 6 characters.';
  if (value.includes('\0')) return 'A password has no NUL character.';
  const { length } = new TextEncoder().encode(value);
  return length > LIMITS.password ? `A password has at most ${LIMITS.password} bytes.` : undefined;
}
