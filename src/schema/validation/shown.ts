/**
 * Values as the library sees them, one level at a time. The token of a member is its shown name, that of an item its
 * index.
 */
import { SCHEMA_LIMITS } from '../limits.ts';
import { isObject, type Plain } from '../plain.ts';
import type { Work } from '../work.ts';
import type { Level } from './level.ts';
import { shownName } from './names.ts';
import { isList } from '../../domain/values/tree.ts';

/** A value with as much of it as the level's keywords read. */
export function shownValue(value: Plain, level: Level, work: Work): unknown {
  if (isList(value)) {
    if (level.readsItems) return shownWhole(value, work);
    if (!level.countsItems) return [];
    work.spend(value.length / 16);
    return new Array<string>(value.length);
  }
  return isObject(value) && !level.readsMembers ? {} : shownWhole(value, work);
}

export function shownWhole(value: Plain, work: Work): unknown {
  if (isList(value)) {
    work.spend(value.length * SCHEMA_LIMITS.itemWork);
    return value.map((_item, index) => String(index));
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  work.spend(names.length * SCHEMA_LIMITS.memberWork);
  const shown = Object.create(null) as Record<string, string>;
  for (const name of names) {
    const token = shownName(name);
    shown[token] = token;
  }
  return shown;
}
