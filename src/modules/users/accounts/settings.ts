/** The account settings of the application of a request. One call, which only requests about accounts make. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { codesOf } from '../../../domain/accounts/codes.ts';
import {
  accountActionOf,
  accountSettingsOf,
  GROUPS_OF_SETTINGS,
  SCOPE,
  type AccountSettings,
} from '../../../domain/accounts/settings.ts';
import { linksOf, type Link, keyOf, type Document } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail } from '../../../domain/problems.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import { textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import { readId, type DocumentId } from '../../../domain/ids.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import type { RequestContext } from '../../endpoint.ts';

export interface HeldSettings extends AccountSettings {
  /** The groups that new users join. */
  readonly groups: readonly Link[];
  /** The groups whose users must have a second factor, where one is required; all users without any. */
  readonly factorGroups: readonly Link[];
}

/** Null where the application has none. */
export async function accountSettings(caller: CallContext): Promise<HeldSettings | null> {
  const stored = await collectionOf(caller, CORE.accountSettings).findUnique(SCOPE.name, SCOPE.value);
  if (stored === null) return null;
  const [groups = [], factorGroups = []] = GROUPS_OF_SETTINGS.map((name) =>
    linksOf(stored.relationships[name] ?? null),
  );
  return { ...accountSettingsOf(stored.attributes), groups, factorGroups };
}

export function closed() {
  return fail('forbidden', 'The account settings of the application do not allow this.', {
    header: 'api-key',
  });
}

export function ownOf(caller: CallContext, type: TypeName) {
  const collection = collectionOf(caller, type);
  /** `version`: nobody has changed it since. */
  const since = (version?: number) => ({ ...TRUSTED, ifMatch: version === undefined ? null : [version] });
  return {
    find: (name: string, value: string) => collection.findUnique(name, value),
    read: async (text = ''): Promise<Document | null> => {
      const id = readId(text);
      const read = id && (await collection.read(id, TRUSTED));
      return read?.state === 'found' ? read.document : null;
    },
    /** `user`: whose it is. */
    add: (attributes: Fields, user?: DocumentId) =>
      collection.create({
        content: { attributes, relationships: {} },
        owners: user === undefined ? [] : [keyOf({ type: CORE.user, id: user })],
        rule: null,
      }),
    /** `asSent`: attributes as sent, where they are stored in another form. */
    change: (id: DocumentId, attributes: Fields, version?: number, asSent: Fields | null = null) =>
      collection.update(id, mergeOf({ attributes, relationships: {} }, null), since(version), asSent),
    remove: (id: DocumentId, version?: number) => collection.remove(id, since(version)),
  };
}

/** The action of the request, and the version of its document, while it can be redeemed. */
export async function openAction(context: RequestContext) {
  const document = await ownOf(context, CORE.accountAction).read(context.parameters.id);
  const action = document && accountActionOf(document.attributes);
  if (!action || action.expires.getTime() <= Date.now()) return null;
  // The last try may still be on its way: of many at once no other goes ahead.
  if (action.tries >= LIMITS.accountTries) return null;
  return { ...action, version: document.version };
}

/** The codes for links of an action that sends no mail, under each secret of the service. */
export async function codesFor(
  { application, environment }: Pick<RequestContext, 'application' | 'environment'>,
  action: DocumentId,
  kind: string,
  user = action,
): Promise<readonly string[]> {
  const codes = await codesOf(environment, { application, action, kind, user, address: '' });
  return codes.map(({ long }) => long);
}

/** What a user is called. */
export async function nameOf(caller: CallContext, user: DocumentId): Promise<string> {
  const read = await ownOf(caller, CORE.user).read(user);
  return textAt(read?.attributes ?? {}, 'username') ?? user;
}
