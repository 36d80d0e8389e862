/**
 * The links of the inverses that a request's include has followed: noted there, and told in the `meta` of the documents
 * that have them (../resource.ts). They are no relationships, which a client could send back.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { keyOf, linksOf, type Document, type DocumentMap, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Reader, RequestContext } from '../../endpoint.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { shows } from '../../../domain/rules.ts';
import type { Inverse } from '../../../domain/types/settings.ts';
import { isLinkable } from '../../../domain/types/facts.ts';

/** The inverse of this name that the settings of a type declare; null if there is none, or a rule does not show it. */
export async function inverseOf(
  context: RequestContext,
  type: TypeName,
  name: string,
  rule = context.access.rule,
): Promise<Inverse | null> {
  if (!isLinkable(type) || !shows(rule, name)) return null;
  const settings = await collectionOf(context, type).settings();
  return memberOf(settings?.inverses ?? {}, name) ?? null;
}

type Links = Map<string, Link[]>;

/** Of each request, for as long as it lasts: by document, and by the name of the inverse. */
const noted = new WeakMap<Reader, Map<string, Links>>();

/** An inverse of some documents of a type, with the documents that link to them. */
export interface FollowedInverse {
  readonly type: TypeName;
  readonly name: string;
  readonly ids: readonly DocumentId[];
  /** The relationship that links to them. */
  readonly through: string;
  readonly linking: readonly Link[];
}

/** `shown`: the documents of the answer. */
export function noteInverses(
  context: Reader,
  followed: readonly FollowedInverse[],
  shown: Pick<DocumentMap, 'get'>,
): void {
  if (followed.length === 0) return;
  const byDocument = recall(noted, context, () => new Map<string, Links>());
  for (const { type, name, ids, through, linking } of followed) {
    const lists = new Map(ids.map((id): [string, Link[]] => [keyOf({ type, id }), []]));
    for (const link of linking) {
      const relationships = shown.get(link)?.relationships ?? {};
      const linkage = memberOf(relationships, through) ?? null;
      for (const owner of linksOf(linkage)) lists.get(keyOf(owner))?.push(link);
    }
    for (const [key, links] of lists) recall(byDocument, key, (): Links => new Map()).set(name, links);
  }
}

/** The links of a document's inverses by name; null where the answer includes none. */
export function inverseLinksOf(
  context: Reader,
  document: Document,
): Readonly<Record<string, Presentable>> | null {
  const links = noted.get(context)?.get(keyOf(document));
  if (links === undefined) return null;
  const selected = context.query.fields.get(document.type);
  const shown = [...links].filter(([name]) => selected?.has(name) !== false);
  if (shown.length === 0) return null;
  return Object.fromEntries(shown.map(([name, all]) => [name, all.map(({ type, id }) => ({ type, id }))]));
}
