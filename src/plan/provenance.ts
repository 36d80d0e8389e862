/**
 * Conditions on what the service knows of a document (domain/provenance.ts) as SQL over its columns, which say all there
 * is to say of a time or of the creator's id.
 */
import { ObjectId, type Value } from '../domain/values/values.ts';
import type { Leaf } from '../operators/filter/conditions.ts';
import { UNKNOWN, type BodyTest } from '../query/sql/body-test.ts';
import { joined, NEVER, sql, type SqlCondition } from '../query/sql/condition.ts';
import { nameOfPath } from '../query/index/paths.ts';
import { SYMBOLS } from '../query/sql/positions.ts';

/** A column as SQL, and the values of the conditions that its values are compared with. */
interface Column {
  readonly textOf: (row: string) => string;
  /** Undefined for a value of another kind, which equals none of the column's. */
  readonly parameterOf: (value: Value) => string | number | undefined;
}

const time = (name: string): Column => ({
  textOf: (row) => `${row}.${name}`,
  parameterOf: (value) => (value instanceof Date ? value.getTime() : undefined),
});

const COLUMNS: Readonly<Record<string, Column>> = {
  $created: time('created'),
  $updated: time('updated'),
  // Behind the type and a blank.
  '$creator.id': {
    textOf: (row) => `substr(${row}.creator, -24)`,
    parameterOf: (value) => (value instanceof ObjectId ? value.hex : undefined),
  },
};

/** What is not said here is left to the matcher. */
export function testProvenance(leaf: Leaf): BodyTest {
  const column = COLUMNS[nameOfPath(leaf.path)];
  const condition = column && conditionOn(leaf, column);
  return condition === undefined ? UNKNOWN : { may: condition, must: condition };
}

function conditionOn(leaf: Leaf, column: Column): SqlCondition | undefined {
  switch (leaf.op) {
    case 'eq':
      return equalsSome([leaf.value], column);
    case 'in':
      return equalsSome(leaf.values, column);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (leaf.value === null) return undefined;
      const bound = column.parameterOf(leaf.value);
      if (bound === undefined) return NEVER;
      return sql((row) => `(${column.textOf(row)} ${SYMBOLS[leaf.op]} ?) IS TRUE`, bound);
    }
    default:
      return undefined;
  }
}

/** Every condition here is true or false, never NULL. */
function equalsSome(values: readonly Value[], { textOf, parameterOf }: Column): SqlCondition {
  const parameters = values.flatMap((value) => parameterOf(value) ?? []);
  const found =
    parameters.length === 0
      ? NEVER
      : sql(
          (row) => `(${textOf(row)} IN (SELECT value FROM json_each(?))) IS TRUE`,
          JSON.stringify(parameters),
        );
  const nothing = values.includes(null) ? sql((row) => `${textOf(row)} IS NULL`) : NEVER;
  return joined('OR', [found, nothing]);
}
