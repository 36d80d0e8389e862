/** The form of a hostile schema, and what makes large ones. */

export interface HostileSchema {
  readonly name: string;
  /** Makes the schema of the attribute `v`, or of the whole content where it has `root`. */
  readonly schema: () => unknown;
  readonly root?: Readonly<Record<string, unknown>>;
  readonly value?: () => unknown;
  /** Whether the schema is refused, or accepts, refuses or gives up on the value. */
  readonly outcome: 'schema refused' | 'valid' | 'violations' | 'too much work';
}

type Make = () => unknown;

/** What becomes of a schema that is refused, and of the value that others are given. */
type Row =
  | readonly [outcome: 'refused', name: string, schema: Make, root?: HostileSchema['root']]
  | readonly [
      outcome: Exclude<HostileSchema['outcome'], 'schema refused'>,
      name: string,
      schema: Make,
      value: Make,
      root?: HostileSchema['root'],
    ];

export function schemas(rows: readonly Row[]): readonly HostileSchema[] {
  return rows.map((row) => {
    const [outcome, name, schema] = row;
    if (outcome === 'refused') return { name, schema, ...optional(row[3]), outcome: 'schema refused' };
    return { name, schema, value: row[3], ...optional(row[4]), outcome };
  });
}

const optional = (root: HostileSchema['root']) => root && { root };

export const MIB = 1024 * 1024;
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Puts something into something again and again. */
export function nested(levels: number, wrap: (inner: unknown) => unknown, core: unknown): unknown {
  return times(levels, () => wrap).reduce<unknown>((inner, each) => each(inner), core);
}

/** An object whose member is named as the prototype is. */
export const withProto = (value: unknown): unknown => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`);
