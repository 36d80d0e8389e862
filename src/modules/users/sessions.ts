/** What is seen of logins (docs/accounts.md#sessions): where each is, and never its token. */
import { lastUses } from '../../auth/tokens/copies.ts';
import { claimsOf, endTokens, ENDS, HOLDER_VERSION, renewalOf } from '../../auth/tokens/documents.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { idsOf } from '../../collection/rpc/maintenance/applications.ts';
import { hourNow } from '../../collection/rpc/sessions/sessions.ts';
import { keyOf } from '../../domain/documents.ts';
import { readId, type DocumentId } from '../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { isUnderAcl } from '../../domain/secrets.ts';
import { CORE, SESSION } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { presentTime } from '../../domain/values/present.ts';
import { linksTo } from '../../operators/filter/through.ts';
import type { Handler, RequestContext } from '../endpoint.ts';
import { loggedInUser } from './accounts/begun.ts';
import { ownOf } from './accounts/settings.ts';
import { textAt } from '../../domain/values/tree.ts';

/** Logins that are shown, the last ones. */
const SHOWN = 100;

/** Whose logins are asked for: the asking user's, or those of one whom a trusted key names; and that user's version. */
async function askedFor(context: RequestContext): Promise<Outcome<{ id: DocumentId; version: number }>> {
  const { access, query } = context;
  const [filter, ...others] = query.filters;
  if (filter === undefined) {
    const user = loggedInUser(context);
    return user.ok ? ok({ id: user.value, version: access.holder?.token.version ?? 0 }) : user;
  }
  const id = filter.field === 'user' ? readId(filter.text.replaceAll('"', '')) : undefined;
  const parameter = `filter[${filter.field ?? '*'}]`;
  if (id === undefined || others.length > 0)
    return fail('invalid-filter', 'Sessions take filter[user] alone: the id of a user.', { parameter });
  if (isUnderAcl(access) || access.rule !== null)
    return fail('forbidden', 'Only a key without ACL and rules sees sessions of others.', { parameter });
  const user = await ownOf(context, CORE.user).read(id);
  return ok({ id, version: user?.version ?? 0 });
}

export const listSessions: Handler = async (context) => {
  const user = await askedFor(context);
  if (!user.ok) return user;
  const { access, application, environment, wrapped } = context;
  const own = linksTo('user', CORE.user, [user.value.id]);
  // A change of the user has ended the others.
  const valid = { op: 'eq', path: [HOLDER_VERSION], value: user.value.version } as const;
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
  const all = await idsOf(context, CORE.userToken, linksTo('user', CORE.user, [user.value]));
  const ids = all.filter((id) => id !== context.access.holder?.token.id);
  const holders = [keyOf({ type: CORE.user, id: user.value })];
  const ended = await endTokens(
    context,
    CORE.user,
    ids.map((id) => ({ id, holders })),
  );
  if (!ended.ok) return ended;
  for (const id of ids) await ownOf(context, CORE.userToken).remove(id);
  return ok({ status: 204, confidential: true });
};
