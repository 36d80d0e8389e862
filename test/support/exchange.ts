/**
 * A request as a handler sees it, for what only the order of events shows: the test holds back what a collection or
 * KV answers, and lets it go when the moment is right. Everything else is what the service runs.
 */
import { roundKeys, TagSeal } from '../../src/auth/tag-seal.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import type { SettingName } from '../../src/domain/environment/settings.ts';
import type { RequestContext } from '../../src/modules/endpoint.ts';
import { PathParameters } from '../../src/modules/path-parameters.ts';
import { typeOf } from './names.ts';
import { applicationId, storedId } from '../../src/domain/ids.ts';
import { TRUSTED } from '../../src/domain/rules.ts';

export const APPLICATION = applicationId('a'.repeat(24));
export const TAG_SEAL = new TagSeal([roundKeys([1, 2, 3, 4])], APPLICATION);
const NO_KEY = storedId('0'.repeat(24));

/** Bindings whose objects all answer these calls, and whose KV gives what `lookUp` gives. */
export function environmentOf(
  calls: Readonly<Record<string, (...args: never[]) => unknown>>,
  lookUp: () => Promise<unknown> = () => Promise.resolve(null),
  settings: Partial<Record<SettingName | 'OPERATOR_SECRET', string>> = {},
): Environment {
  const id = { equals: () => true, toString: () => 'id' };
  const bindings = {
    COLLECTIONS: { idFromName: () => id, get: () => objectOf(calls) },
    LOOKUPS: { get: lookUp },
    CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`,
    ...settings,
  };
  // Of the bindings, only this much is used.
  return bindings as unknown as Environment;
}

/** An object that answers these calls. */
export function objectOf(calls: Readonly<Record<string, (...args: never[]) => unknown>>) {
  return { call: (_target: unknown, name: string, ...given: never[]) => calls[name]?.(...given) };
}

/** A GET by somebody who may do everything. */
export function contextOf(members: Partial<RequestContext> = {}): RequestContext {
  return {
    environment: environmentOf({}),
    application: APPLICATION,
    apiKey: NO_KEY,
    signature: '0'.repeat(16),
    tagSeal: TAG_SEAL,
    base: 'http://service.test',
    path: '/resources/people',
    parameters: new PathParameters(typeOf('people')),
    me: false,
    query: {
      entries: [],
      text: '',
      unpaged: '',
      page: { style: 'offset', offset: 0, limit: 20, counted: true },
      fields: new Map(),
      include: null,
      filters: [],
      sort: null,
      since: null,
      parameters: new Map(),
      at: null,
      single: new Map(),
    },
    body: null,
    ifMatch: null,
    ifNoneMatch: null,
    idempotencyKey: null,
    preferences: { return: null, handling: null, 'server-timing': null, explain: null, cookie: null },
    wrapped: false,
    csv: false,
    access: {
      ...TRUSTED,
      owner: null,
      creator: null,
      holder: null,
      hasRules: false,
      viewerOf: () => ({ ...TRUSTED, owner: null }),
      admissionOf: () => ({ admitted: true, ...TRUSTED, owner: null, creator: null }),
      strangerAt: () => null,
      view: '0'.repeat(16),
    },
    explain: false,
    authorization: null,
    address: 'somewhere',
    ...members,
  };
}

/** Something that is answered when the test says so. */
export function held<T>(): { readonly answer: Promise<T>; readonly release: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { answer: promise, release: resolve };
}
