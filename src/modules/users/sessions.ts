/** What users see of their logins (docs/accounts.md#sessions): where each is, and never its token. */
import { lastUses } from '../../auth/tokens/copies.ts';
import { claimsOf, endTokens, ENDS, HOLDER_VERSION, renewalOf } from '../../auth/tokens/documents.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { everyOf } from '../../collection/rpc/maintenance/applications.ts';
import { hourNow } from '../../collection/rpc/sessions/sessions.ts';
import { keyOf } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { ok } from '../../domain/problems.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE, SESSION } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { presentTime } from '../../domain/values/present.ts';
import { linksTo } from '../../operators/filter/through.ts';
import type { Handler } from '../endpoint.ts';
import { loggedInUser } from './accounts/begun.ts';
import { textAt } from '../../domain/values/tree.ts';

/** Logins that are shown, the last ones. */
const SHOWN = 100;

export const listSessions: Handler = async (context) => {
  const user = loggedInUser(context);
  if (!user.ok) return user;
  const { access, application, environment, wrapped } = context;
  const own = linksTo('user', CORE.user, [user.value]);
  // A change of the user has ended the others.
  const valid = { op: 'eq', path: [HOLDER_VERSION], value: access.holder?.token.version ?? 0 } as const;
  const standing = { op: 'not', condition: { op: 'lte', path: [ENDS], value: new Date() } } as const;
  const request = {
    condition: encodeText({ op: 'and', conditions: [own, valid, standing] }),
    sort: [{ path: ['id'], direction: 'descending' }] as const,
    page: { offset: 0, limit: SHOWN, counted: false },
    ...{ ...TRUSTED, hidden: [] },
  };
  const shown = (time: number) => presentTime(time, wrapped);
  return collectionOf(context, CORE.userToken).list(request, async ({ documents }) => {
    const logins = documents.flatMap((document) => {
      const claims = claimsOf(application, document);
      return claims === undefined ? [] : [{ claims, attributes: document.attributes }];
    });
    const uses = await lastUses(
      environment,
      logins.map(({ claims }) => claims),
    );
    const data = logins.map(({ claims: { id, created }, attributes }, at) => {
      const current = access.holder?.token.id === id;
      const began = Math.floor((renewalOf({ attributes })?.at ?? created) / HOUR);
      const hour = current ? hourNow() : Math.max(uses[at] ?? 0, began);
      return {
        type: SESSION,
        id,
        attributes: {
          created: shown(created),
          used: shown(hour * HOUR),
          device: textAt(attributes, 'device') ?? null,
          country: textAt(attributes, 'country') ?? null,
          current,
        },
      };
    });
    return ok({ status: 200, document: { data }, confidential: true });
  });
};

const HOUR = 3_600_000;

export const endOtherSessions: Handler = async (context) => {
  const user = loggedInUser(context);
  if (!user.ok) return user;
  const ids: DocumentId[] = [];
  for await (const { id } of everyOf(context, CORE.userToken, linksTo('user', CORE.user, [user.value])))
    if (id !== context.access.holder?.token.id) ids.push(id);
  const holders = [keyOf({ type: CORE.user, id: user.value })];
  const ended = await endTokens(
    context,
    CORE.user,
    ids.map((id) => ({ id, holders })),
  );
  if (!ended.ok) return ended;
  const tokens = collectionOf(context, CORE.userToken);
  for (const id of ids) await tokens.remove(id, { ...TRUSTED, ifMatch: null });
  return ok({ status: 204, confidential: true });
};
