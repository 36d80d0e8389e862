/** What would have to change in an application for it to be as a project declares. */
import { CORE } from '../../src/domain/types.ts';
import type { Json } from '../json-objects.ts';
import { defaultOf, differing, factsOf, fileKeyOf, labelOf, type Part } from './parts.ts';
import type { Declared } from './project.ts';
import type { Stored } from './target.ts';

export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly part: Part;
  readonly declared: Declared | null;
  readonly stored: Stored | null;
  readonly before: Json;
  readonly after: Json;
  /** The attributes that differ. */
  readonly members: readonly string[];
}

/** In the order in which they can be done: what may be needed first, deletions last. */
export function changesBetween(
  declared: readonly Declared[],
  stored: readonly Stored[],
  prune: boolean,
): readonly Change[] {
  const matched = new Set<Stored>();
  const changes = declared.flatMap((part) => {
    const found = stored.find((each) => isSame(part, each));
    if (found !== undefined) matched.add(found);
    return changeOf(part, found ?? null) ?? [];
  });
  const files = new Set(declared.map(fileKeyOf));
  const isInFile = (each: Part) => factsOf(each.type).within !== undefined && files.has(fileKeyOf(each));
  // A type's file says all of its schemas, that of accounts all providers; whatever has no file is somebody else's.
  const gone = stored
    .filter((each) => !matched.has(each) && (prune || isInFile(each)))
    .map((each): Change => ({
      action: 'delete',
      part: each,
      declared: null,
      stored: each,
      before: each.attributes,
      after: {},
      members: [],
    }));
  return [...changes, ...gone.reverse()];
}

function isSame(part: Part, each: Part): boolean {
  if (part.type !== each.type) return false;
  if (part.name === each.name && part.index === each.index) return true;
  // A webhook that was made by hand has no name: what it calls for which type says which it is.
  return (
    part.type === CORE.webhook &&
    each.name === '' &&
    differing(part.attributes, each.attributes).every((name) => !['target', 'url'].includes(name))
  );
}

function changeOf(part: Declared, stored: Stored | null): Change | null {
  const before = stored?.attributes ?? {};
  const members = differing(before, part.attributes);
  // A type whose file has a schema alone needs no settings; accounts are open where all of theirs are the defaults.
  const few: Readonly<Record<string, number>> = { [CORE.typeSettings]: 1, [CORE.accountSettings]: -1 };
  if (members.length <= (stored === null ? (few[part.type] ?? 0) : 0)) return null;
  const action = stored === null ? 'create' : 'update';
  return { action, part, declared: part, stored, before, after: part.attributes, members };
}

/** What a request sends so that attributes become others. */
export function sentFor({ part, members }: Pick<Change, 'part' | 'members'>, after: Json): Json {
  return Object.fromEntries(
    members.map((name) => [name, Object.hasOwn(after, name) ? after[name] : defaultOf(part.type, name)]),
  );
}

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** `~ key website: permissions` */
export function changeText({ action, part, members }: Change): string {
  return `${SIGNS[action]} ${labelOf(part)}${action === 'update' ? `: ${members.join(', ')}` : ''}`;
}
