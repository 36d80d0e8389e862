/**
 * A validated update: MongoDB's update operators on dotted paths. It is plain data with `Value`s in it, so it is also a
 * `Value` itself and crosses to the collection in the stored encoding (`encodeText`); for that its parts are type
 * aliases and not interfaces.
 */
import type { Value } from '../../domain/values/values.ts';
import type { Path } from '../../query/walk.ts';
import type { ItemOrder } from '../core/item-order.ts';
import type { Condition } from '../filter/conditions.ts';

/** The operand of each operator. */
export type Operands = {
  readonly [op in '$inc' | '$mul' | '$min' | '$max']: { readonly value: Value };
} & {
  readonly $push: {
    readonly each: readonly Value[];
    /** Null for the end. */
    readonly position: number | null;
    readonly sort: ItemOrder | null;
    readonly slice: number | null;
  };
  readonly $addToSet: { readonly each: readonly Value[] };
  readonly $pull:
    | { readonly value: Value }
    /** A condition on the item's fields, or on itself. */
    | { readonly of: 'fields' | 'item'; readonly condition: Condition };
  readonly $pop: { readonly first: boolean };
  readonly $unset: true;
  readonly $rename: { readonly to: Path };
  readonly $currentDate: true;
};

export type OperatorName = keyof Operands;

export type UpdateStep<Op extends OperatorName = OperatorName> = {
  [Each in Op]: { readonly op: Each; readonly path: Path; readonly operand: Operands[Each] };
}[Op];

/** Steps of which no path is another's, or begins with it. */
export type Update = readonly UpdateStep[];

export function pathsOf(step: UpdateStep): readonly Path[] {
  return step.op === '$rename' ? [step.path, step.operand.to] : [step.path];
}

export function attributesOf(update: Update): ReadonlySet<string> {
  return new Set(update.flatMap((step) => pathsOf(step).map(([name = '']) => name)));
}

/**
 * The attributes that an update looks at: what is there afterwards, or whether the update can be made, may tell what
 * stood there, number by number or item by item. Only who may read them may send it.
 */
export function attributesSeen(update: Update): ReadonlySet<string> {
  return attributesOf(update.filter(looks));
}

function looks(step: UpdateStep): boolean {
  switch (step.op) {
    case '$unset':
    case '$currentDate':
      return false;
    case '$push':
      return step.operand.sort !== null || step.operand.slice !== null;
    default:
      return true;
  }
}
