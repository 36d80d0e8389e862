/** The fields that a client's write names, and where in its body. */
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { partsOf, type StoredContent } from '../../../domain/values/stored.ts';
import { pathsOf } from '../../../operators/update/update.ts';
import type { Change } from '../../rpc/writes/operations.ts';
import { updateOf } from '../document/change.ts';

export type Given = readonly [name: string, pointer: string];

export function givenIn(content: StoredContent): readonly Given[] {
  const { attributes, relationships } = partsOf(content);
  return Object.entries({ attributes, relationships }).flatMap(([member, fields]) =>
    Object.keys(fields).map((name): Given => [name, pointerOf(placeOf('data', member, name))]),
  );
}

export function givenBy(change: Change): readonly Given[] {
  if (change.kind !== 'merge') return [[change.name, '/data']];
  const steps = change.update === undefined ? [] : updateOf(change.update);
  const updated = steps.flatMap((step) =>
    pathsOf(step).map(([name = '']): Given => [
      name,
      pointerOf(placeOf('data', 'meta', 'update', step.op, step.path.join('.'))),
    ]),
  );
  return [...givenIn(change.content), ...updated];
}
