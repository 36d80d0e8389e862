/** Permissions in words: patterns that ticks make, the types of a pattern, and a permission as a sentence. Pure. */
import { pathOf } from '../../../client/paths.ts';
import { oneOf } from '../../../domain/names.ts';
import { literal } from '../../parts/fields/json.ts';
import { isActive, methodsOf, type Permission } from './permissions.ts';

/** All types of documents. */
export const EVERY = '*';

/** The pattern for everything of some types: their lists, their documents, and what is below these. */
export function patternOf(types: readonly string[]): string {
  if (types.includes(EVERY)) return '/resources(/.*)?';
  const byModule = Map.groupBy(types, (type) => pathOf(type).split('/')[1] ?? '');
  const parts = Array.from(byModule, ([module, each]) => `/${module}/${anyOf(each.map(escaped))}`);
  return types.length === 0 ? '' : `${anyOf(parts)}(/.*)?`;
}

function anyOf(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join('|')})`;
}

/** As people write it: a slash and a dash stand for themselves. */
function escaped(type: string): string {
  return literal(type).replaceAll(/\\([/-])/g, '$1');
}

/** What stands behind a type in patterns for it. */
const BEHIND = ['(/.*)?', '(/[0-9a-f]{24})?', ''];

/** The types that a pattern is for, if it is one that ticks make, or near to that; undefined for all others. */
export function typesIn(path: string): readonly string[] | undefined {
  if (path === patternOf([EVERY]) || path === '/resources/.*') return [EVERY];
  for (const end of BEHIND) {
    if (!path.endsWith(end)) continue;
    const names = path
      .slice(0, path.length - end.length)
      .replaceAll(/[()]/g, '')
      .split('|')
      .map((part) => part.replace(/^\/[a-z-]+\//, '').replaceAll(String.raw`\.`, '.'));
    const areNames = names.every((name) => /^[^/\\*+?^${}[\]]+$/.test(name));
    if (areNames && patternOf(names).replace(BEHIND[0] ?? '', '') + end === path) return names;
  }
  return undefined;
}

const MAY: readonly (readonly [method: string, words: string])[] = [
  ['get', 'read'],
  ['post', 'create'],
  ['patch', 'change'],
  ['delete', 'delete'],
  ['bulk', 'change many at once'],
];

/** `Users may read and create articles, as far as their rights go.` */
export function sentenceOf(permission: Permission): string {
  const { path, where, check, fields } = permission;
  const methods = methodsOf(permission);
  const may = MAY.filter(([method]) => methods.includes(method)).map(([, words]) => words);
  if (may.length === 0) return 'Nobody may do anything by this.';
  const types = typeof path === 'string' ? typesIn(path) : undefined;
  const what =
    types === undefined
      ? 'what the pattern names'
      : types.includes(EVERY)
        ? 'documents of every type'
        : oneOf(types, 'and');
  const isForUsers = isActive(permission);
  const who = isForUsers ? 'Users' : 'Whoever has the key';
  const rules = [where, check, fields].some((each) => each !== undefined) ? ', under its rules' : '';
  return `${who} may ${oneOf(may, 'and')} ${what}${isForUsers ? ', as far as their rights go' : ''}${rules}.`;
}
