/** The rights that the settings of a type give on its documents, and the links that give them. Pure functions. */
import { keyOf, linksOf, type Content, type Link } from '../../../domain/documents.ts';
import type { FieldName } from '../../../domain/field-names.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { readAuditFields } from '../../../domain/audit-fields.ts';
import { holdersOf, RIGHTS, type Right } from '../../../domain/rights.ts';
import { CREATOR, givenThrough } from '../../../domain/types/rights.ts';
import type { TypeSettings } from '../../../domain/types/settings.ts';
import { isLinkable, typeInfo } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import { unpackContent, type StoredContent } from '../../../domain/values/stored.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import type { RightsRows } from '../../storage/documents/rights.ts';

/** The rights that settings give on a document, as it is. */
export function givenOn(document: Positioned, settings: readonly TypeSettings[]) {
  if (settings.every(({ rights }) => rights === null)) return [];
  const { relationships } = unpackContent(document);
  const { creator } = readAuditFields(document.auditFields);
  return settings.flatMap(({ rights }) =>
    RIGHTS.flatMap((right) =>
      (rights?.[right] ?? []).flatMap((entry) =>
        givenBy(entry, right, creator, relationships).map((identity) => ({ right, entry, identity })),
      ),
    ),
  );
}

/** The same as rows. */
export function derived(document: Positioned, settings: readonly TypeSettings[]): RightsRows {
  return new Set(givenOn(document, settings).map(({ right, identity }) => `${right} ${identity}`));
}

/** The identities in rows of right and identity. */
export function identitiesIn(rows: RightsRows): readonly string[] {
  return Array.from(rows, (row) => row.slice(row.indexOf(' ') + 1));
}

/** The identities that an entry stands for. */
export function givenBy(
  entry: string,
  given: Right | 'create',
  creator: Link | null,
  relationships: Content['relationships'],
): readonly string[] {
  if (!entry.startsWith('$')) return [entry];
  if (entry === CREATOR) return creator === null ? [] : [keyOf(creator)];
  const through = givenThrough(entry, given);
  if (through === null) return [];
  return linksOf(memberOf(relationships, through.name) ?? [])
    .filter(({ type }) => isLinkable(type))
    .map((link) => (typeInfo(link.type).identity === true ? keyOf(link) : holdersOf(link, through.right)));
}

/** The relationships that give rights, or let somebody create. */
export function givingNames(settings: readonly TypeSettings[]): ReadonlySet<FieldName> {
  const names = settings.flatMap(({ rights }) =>
    Object.values(rights ?? {}).flatMap((entries) =>
      entries.flatMap((entry) => givenThrough(entry, 'read')?.name ?? []),
    ),
  );
  return new Set(names);
}

/** Whether relationships have the same links in two contents. */
export function sameLinks(one: StoredContent, other: StoredContent, names: ReadonlySet<FieldName>): boolean {
  const [before, after] = [unpackContent(one).relationships, unpackContent(other).relationships];
  const keys = (relationships: Content['relationships'], name: FieldName) =>
    linksOf(memberOf(relationships, name) ?? null)
      .map(keyOf)
      .join('\n');
  return [...names].every((name) => keys(before, name) === keys(after, name));
}

/** Fails when rights would have to be kept for too many links, or asked of too many types. */
export function checkHolders(
  { relationships }: Content,
  settings: readonly TypeSettings[],
  known: readonly TypeName[],
): Outcome<null> {
  const types = new Set<string>(known);
  for (const name of givingNames(settings)) {
    const links = linksOf(memberOf(relationships, name) ?? null);
    const before = types.size;
    for (const { type } of links) if (isLinkable(type) && typeInfo(type).identity !== true) types.add(type);
    const isMany = links.length > LIMITS.rightsLinks;
    if (!isMany && (types.size === before || types.size <= LIMITS.inheritedTypes)) continue;
    const detail = isMany
      ? `The relationship ${name} gives rights, and has at most ${LIMITS.rightsLinks} links.`
      : `The relationship ${name} gives rights, ` +
        `and such relationships of a type link to documents of at most ${LIMITS.inheritedTypes} types.`;
    return fail('invalid-relationship', detail, {
      pointer: pointerOf(placeOf('data', 'relationships', name)),
    });
  }
  return ok(null);
}

export function sameRights(one: TypeSettings | null, other: TypeSettings): boolean {
  return JSON.stringify(one?.rights ?? null) === JSON.stringify(other.rights);
}

export function hasOtherRights(coming: TypeSettings, before: TypeSettings | null): boolean {
  return coming.rights !== null && !sameRights(before, coming);
}
