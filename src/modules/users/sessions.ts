/** What users see of their logins (docs/accounts.md#sessions): where each is, and never its token. */
import { ENDS, HOLDER_VERSION } from '../../auth/tokens/documents.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { ok } from '../../domain/problems.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE, SESSION } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { linksTo } from '../../operators/filter/through.ts';
import type { Handler } from '../endpoint.ts';
import { loggedInUser } from './accounts/fresh.ts';
import { textAt } from './accounts/settings.ts';

/** Logins that are shown, the last ones. */
const SHOWN = 100;

export const listSessions: Handler = async (context) => {
  const user = loggedInUser(context);
  if (!user.ok) return user;
  const own = linksTo('user', CORE.user, [user.value]);
  // A change of the user has ended the others.
  const valid = {
    op: 'eq',
    path: [HOLDER_VERSION],
    value: context.access.holder?.token.version ?? 0,
  } as const;
  const over = { op: 'not', condition: { op: 'lte', path: [ENDS], value: new Date() } } as const;
  const request = {
    condition: encodeText({ op: 'and', conditions: [own, valid, over] }),
    sort: [{ path: ['id'], direction: 'descending' }] as const,
    page: { offset: 0, limit: SHOWN, counted: false },
    ...{ ...TRUSTED, hidden: [] },
  };
  const { wrapped, access } = context;
  return collectionOf(context, CORE.userToken).list(request, ({ documents }) => {
    const data = documents.map(({ id, attributes }) => {
      const { created } = attributes;
      const at = created instanceof Date ? created.toISOString() : null;
      return {
        type: SESSION,
        id,
        attributes: {
          created: wrapped ? { $date: at } : at,
          device: textAt(attributes, 'device') ?? null,
          country: textAt(attributes, 'country') ?? null,
          current: access.holder?.token.id === id,
        },
      };
    });
    return Promise.resolve(ok({ status: 200, document: { data }, confidential: true }));
  });
};
