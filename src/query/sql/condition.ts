/** Conditions of SQL on a document. The statement names the row; a condition knows no table. */

export type SqlParameters = readonly (string | number)[];

export type SqlCondition =
  /** Holds for every document. */
  | { readonly kind: 'always' }
  /** Holds for none. */
  | { readonly kind: 'never' }
  | {
      readonly kind: 'sql';
      /** The text, for a row of that name, which has the columns of `documents` that the condition looks at. */
      readonly textOf: (row: string) => string;
      /** The values of its question marks. */
      readonly parameters: SqlParameters;
    };

export const ALWAYS: SqlCondition = { kind: 'always' };
export const NEVER: SqlCondition = { kind: 'never' };

/** A condition as a part of a statement. */
export interface SqlText {
  readonly text: string;
  readonly parameters: SqlParameters;
}

export function sql(textOf: (row: string) => string, ...parameters: SqlParameters): SqlCondition {
  return { kind: 'sql', textOf, parameters };
}

/** A condition on the row that a statement calls so. */
export function on(row: string, condition: SqlCondition): SqlText {
  if (condition.kind === 'sql') return { text: condition.textOf(row), parameters: condition.parameters };
  return { text: condition.kind === 'always' ? 'TRUE' : 'FALSE', parameters: [] };
}

/** Holds where the condition does not. It is true or false of every document, never NULL. */
export function inverse(condition: SqlCondition): SqlCondition {
  if (condition.kind === 'always') return NEVER;
  if (condition.kind === 'never') return ALWAYS;
  return { ...condition, textOf: (row) => `NOT (${condition.textOf(row)})` };
}

export function joined(operator: 'AND' | 'OR', conditions: readonly SqlCondition[]): SqlCondition {
  const [neutral, decisive] = operator === 'AND' ? [ALWAYS, NEVER] : [NEVER, ALWAYS];
  if (conditions.some(({ kind }) => kind === decisive.kind)) return decisive;
  const deciding = conditions.filter((each) => each.kind === 'sql');
  const [only, second] = deciding;
  if (only === undefined) return neutral;
  if (second === undefined) return only;
  return {
    kind: 'sql',
    textOf: (row) => deciding.map(({ textOf }) => `(${textOf(row)})`).join(` ${operator} `),
    parameters: deciding.flatMap(({ parameters }) => parameters),
  };
}

export function both(one: SqlCondition, other: SqlCondition): SqlCondition {
  return joined('AND', [one, other]);
}
