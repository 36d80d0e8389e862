/**
 * What the settings of a type ask of linked documents: the fields that expressions name, and conditions, which mean
 * what they mean in a filter. Pure functions; `find` gives a linked document, `levels` how far to follow.
 */
import { linksOf, type Content, type Link } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { valuesOfAuditFields } from '../../../domain/audit-fields.ts';
import { secretFields } from '../../../domain/secrets.ts';
import { isAggregateType } from '../../../domain/types.ts';
import { decodeFields } from '../../../domain/values/codec.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import { ObjectId, type Fields, type Value } from '../../../domain/values/values.ts';
import { unpackContent, type StoredDocument } from '../../../domain/values/stored.ts';
import type { Condition, Leaf } from '../../../operators/filter/conditions.ts';
import { decodeCondition } from '../../../operators/filter/encoded.ts';
import { leavesOf } from '../../../operators/filter/map.ts';
import {
  answered,
  failClosed,
  goesThrough,
  isFollowable,
  linkOf,
} from '../../../operators/filter/through.ts';
import type { Path } from '../../../query/walk.ts';

type Find = (link: Link) => StoredDocument | null;

/** The relationships that paths go through, their links with the fields of the linked documents in them. */
export function linkedFields(
  { relationships }: Pick<Content, 'relationships'>,
  paths: readonly Path[],
  find: Find,
  levels: number = LIMITS.linksInARow,
): Fields {
  const through = Map.groupBy(levels > 0 ? paths.filter(goesThrough) : [], ([name = '']) => name);
  const made: [string, Value][] = [];
  for (const [name, each] of through) {
    const linkage = memberOf(relationships, name);
    if (linkage === undefined) continue;
    const rests = each.map((path) => path.slice(1));
    const links = linksOf(linkage).map((link): Fields => {
      const { type, id } = link;
      const found = find(link);
      const fields = found && {
        ...fieldsOf(type, found),
        ...linkedFields(unpackContent(found), rests, find, levels - 1),
      };
      return { ...fields, type, id: new ObjectId(id) };
    });
    made.push([name, isList(linkage) ? links : (links[0] ?? null)]);
  }
  return Object.fromEntries(made);
}

interface Judging {
  readonly find: Find;
  readonly meets: (condition: Condition, type: string, document: StoredDocument) => boolean;
  /** Told where linked documents link on, and what is asked there cannot be told. */
  readonly stuck: () => void;
}

/** A condition as it is for one document: what it asks of linked documents is answered. */
export function answeredFor(
  condition: Condition,
  { relationships }: Pick<Content, 'relationships'>,
  judging: Judging,
  levels: number = LIMITS.linksInARow,
): Condition {
  const { find, meets, stuck } = judging;
  const linksAt = (leaf: Leaf) => linksOf(memberOf(relationships, linkOf(leaf) ?? '') ?? null);
  const typesOf = (leaf: Leaf) => {
    const types = [...new Set(linksAt(leaf).map(({ type }) => type))];
    if (types.length === 0) return undefined;
    if (levels > 0 && isFollowable(leaf) && !types.some(isAggregateType)) return types;
    if (levels < LIMITS.linksInARow) stuck();
    return undefined;
  };
  const links = leavesOf(condition).flatMap((leaf) => (typesOf(leaf) === undefined ? [] : linksAt(leaf)));
  const metBy = (type: string, text: string) =>
    links.flatMap((link) => {
      const found = link.type === type ? find(link) : null;
      if (found === null) return [];
      const answered = answeredFor(decodeCondition(text), unpackContent(found), judging, levels - 1);
      return meets(answered, type, found) ? link.id : [];
    });
  const closed = failClosed(condition, false, (leaf) => typesOf(leaf) !== undefined);
  return answered(closed, typesOf, metBy);
}

/** A document as expressions see it: as pipelines do, without what is secret. */
export function fieldsOf(
  type: string,
  { id, body, auditFields }: Pick<StoredDocument, 'id' | 'body' | 'auditFields'>,
): Fields {
  const fields = decodeFields(body);
  const secrets = secretFields(type);
  const shown =
    secrets.length === 0
      ? fields
      : Object.fromEntries(Object.entries(fields).filter(([name]) => !secrets.includes(name)));
  const own = auditFields === undefined ? {} : valuesOfAuditFields(auditFields);
  return { id: new ObjectId(id), type, ...own, ...shown };
}
