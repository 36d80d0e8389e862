/** What a hostile pipeline is, and how the tables of them are written: plain data, as the pipeline cases are. */
export interface HostilePipeline {
  readonly name: string;
  /** JSON text. */
  readonly pipeline: string;
  /** `refused` when written, `fails` when read; of some it does not matter. */
  readonly outcome: 'refused' | 'fails' | 'answered' | 'either';
}

export type Sent = unknown;

export function hostile(
  name: string,
  pipeline: Sent,
  outcome: HostilePipeline['outcome'] = 'fails',
): HostilePipeline {
  return { name, pipeline: JSON.stringify(pipeline), outcome };
}

/** One expression over the documents. */
export function evaluated(
  name: string,
  expression: Sent,
  outcome: HostilePipeline['outcome'] = 'fails',
): HostilePipeline {
  return hostile(name, [{ project: { v: expression } }], outcome);
}

export function times<T>(count: number, start: T, step: (inner: T, index: number) => T): T {
  let made = start;
  for (let index = 0; index < count; index += 1) made = step(made, index);
  return made;
}

/** Numbers up to a length, and a text that doubles with each item. */
export const upTo = (length: number): Sent => ({ $range: ['$zero', length] });
export const doubling = (input: Sent): Sent => ({
  $reduce: { input, initialValue: '$s', in: { $concat: ['$$value', '$$value'] } },
});
