/** A document is read, made, changed and deleted: what is sent is what differs, and on the state that was read. */
import { ForedgeError } from '../../../../client/errors.ts';
import { pathOf } from '../../../../client/paths.ts';
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { documentOf } from '../../../session/answers.ts';
import { ask } from '../../../session/service.ts';
import { asJsonApi, changesOf, draftOf, member, type Draft } from '../draft.ts';
import { isItems, isMembers, isoOf, kindOf, textOf } from '../values/kinds.ts';

/** A document as it was read. */
export interface Read {
  readonly draft: Draft;
  readonly etag: string | undefined;
}

const ATOMIC = 'https://jsonapi.org/ext/atomic';
/** They are checked as a whole, and take no update operators. */
const WITHOUT_OPERATORS = /^core\.(api-key|schema|aggregate|webhook|type)$/;

/** Null for one that was deleted. */
export async function readDocument(type: string, id: string, signal?: AbortSignal): Promise<Read | null> {
  const { body, etag } = await ask('GET', pathOf(type, id), { signal });
  const document = documentOf(body);
  return document === null ? null : { draft: draftOf(document), etag };
}

/** When it was made and changed, and by whom. What may not be seen is left out. */
export async function readMeta(type: string, id: string, signal: AbortSignal): Promise<Resource['meta']> {
  const query = new URLSearchParams({ [`fields[${type}]`]: '$creator,$created,$updated' });
  const { body } = await ask('GET', pathOf(type, id), { query: query.toString(), signal });
  return documentOf(body)?.meta;
}

/** The id of the new document. */
export async function create(
  type: string,
  { attributes, relationships }: Draft,
): Promise<string | undefined> {
  const data = {
    type,
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(Object.keys(relationships).length > 0 && { relationships: asJsonApi(relationships) }),
  };
  const { body } = await ask('POST', pathOf(type), { body: { data } });
  return documentOf(body)?.id;
}

/** Saves what differs of the draft from the base. A document that has changed since is a ForedgeError of status 412. */
export async function update(
  type: string,
  id: string,
  { draft: base, etag }: Read,
  draft: Draft,
): Promise<void> {
  const data = { type, id, ...changeOf(type, base, draft) };
  const cleared = namesToClear(base, draft);
  if (cleared.length === 0 || !pathOf(type).startsWith('/resources/')) {
    await ask('PATCH', pathOf(type, id), { body: { data }, headers: { 'if-match': etag } });
    return;
  }
  // What reads as before is unchanged to the service, and keeps its kind: so such a value goes first, in one transaction.
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  await ask('POST', '/operations', {
    extension: ATOMIC,
    body: {
      'atomic:operations': [
        {
          op: 'update',
          data: { type, id, attributes: nulls },
          ...(etag !== undefined && { meta: { 'if-match': etag } }),
        },
        { op: 'update', data },
      ],
    },
  });
}

function changeOf(type: string, base: Draft, draft: Draft) {
  const changes = Object.entries(changesOf(base.attributes, draft.attributes));
  const removed = changes.filter(([, value]) => value === undefined).map(([name]) => name);
  const hasOperators = !WITHOUT_OPERATORS.test(type);
  const attributes = changes
    .filter(([, value]) => value !== undefined || !hasOperators)
    .map(([name, value]) => [name, value ?? null]);
  const relationships = Object.entries(changesOf(base.relationships, draft.relationships)).map(
    ([name, data]) =>
      // A relationship is emptied: no request removes its name.
      [name, data ?? (Array.isArray(member(base.relationships, name)) ? [] : null)] as const,
  );
  return {
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) as unknown }),
    ...(relationships.length > 0 && { relationships: asJsonApi(Object.fromEntries(relationships)) }),
    ...(removed.length > 0 &&
      hasOperators && {
        meta: { update: { $unset: Object.fromEntries(removed.map((name) => [name, true])) } },
      }),
  };
}

/** The attributes of which a part has another kind now, and reads as before. */
function namesToClear(base: Draft, draft: Draft): readonly string[] {
  return Object.entries(draft.attributes)
    .filter(([name, value]) => {
      const before = member(base.attributes, name);
      return before !== undefined && onlyKindDiffers(before, value);
    })
    .map(([name]) => name);
}

function onlyKindDiffers(before: Json, value: Json): boolean {
  const kinds = [kindOf(before), kindOf(value)] as const;
  if (kinds[0] !== kinds[1]) {
    const isWrapped = /^(date|long|decimal|id)$/.test(kinds[0]);
    // A wrapper always says what it says.
    const isPlain = kinds[1] === 'string' || kinds[1] === 'number';
    return (
      isWrapped &&
      isPlain &&
      (textOf(before) === textOf(value) ||
        isoOf(before) === textOf(value) ||
        Number(textOf(before)) === value)
    );
  }
  if (isItems(before) && isItems(value))
    return value.some((item, index) => {
      const old = before[index];
      return old !== undefined && onlyKindDiffers(old, item);
    });
  if (!isMembers(before) || !isMembers(value)) return false;
  return Object.entries(value).some(([name, each]) => {
    const old = member(before, name);
    return old !== undefined && onlyKindDiffers(old, each);
  });
}

export async function remove(type: string, id: string, etag: string | undefined): Promise<void> {
  await ask('DELETE', pathOf(type, id), { headers: { 'if-match': etag } });
}

export function isConflict(error: unknown): boolean {
  return error instanceof ForedgeError && error.status === 412;
}
