/** Reads a schema: its faults, or everything that checking documents against it needs. */
import { checkLoops } from './loops.ts';
import { draftOfSchema, KNOWN_DRAFTS, type Draft } from './drafts.ts';
import { Faults, type SchemaFault } from './faults.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import { isObject, plainOf, type Plain } from './plain.ts';
import { resolveReferences, type Target, type Targets } from './references.ts';
import { placeOf } from '../domain/pointer.ts';
import { NO_ADDRESS, Walk } from './walk.ts';
import { isList } from '../domain/values/tree.ts';

export interface Analysis {
  readonly root: Target;
  readonly draft: Draft;
  readonly targets: Targets;
}

/** Everything that makes `content` no usable JSON Schema; pointers are relative to its root. */
export function checkSchema(content: unknown): readonly SchemaFault[] {
  return analyze(content).faults;
}

export function analyze(content: unknown): {
  readonly analysis: Analysis;
  readonly faults: readonly SchemaFault[];
} {
  const faults = new Faults();
  const root = plainOf(content, SCHEMA_LIMITS.depth, faults.add);
  const nothing: Analysis = { root: false, draft: 7, targets: new Map() };
  if (typeof root === 'boolean') return { analysis: { ...nothing, root }, faults: faults.list };
  if (!isObject(root)) {
    faults.add(null, 'A schema must be an object, true or false.');
    return { analysis: nothing, faults: faults.list };
  }
  const draft = draftOfSchema(root);
  if (draft === undefined) {
    faults.add(placeOf('$schema'), `The drafts known are ${KNOWN_DRAFTS}.`);
    return { analysis: nothing, faults: faults.list };
  }
  if (countValues(root) > SCHEMA_LIMITS.values) {
    faults.add(null, `A schema has at most ${SCHEMA_LIMITS.values} values.`);
    return { analysis: nothing, faults: faults.list };
  }
  const walk = new Walk(draft, faults);
  walk.visit(root, null, NO_ADDRESS);
  const targets = resolveReferences(walk, faults);
  if (!faults.any) checkLoops(walk, targets, faults);
  return { analysis: { root, draft, targets }, faults: faults.list };
}

function countValues(value: Plain): number {
  const children = isList(value) ? value : isObject(value) ? Object.values(value) : [];
  return children.reduce<number>((sum, child) => sum + countValues(child), 1);
}
