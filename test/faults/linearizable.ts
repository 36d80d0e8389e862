/**
 * Whether a recorded history of operations that overlapped could have happened one after the other, each at some
 * moment between its invocation and its answer (Wing and Gong's search, with Lowe's memory of what was tried). No
 * package for this is kept on npm; it is small.
 */

export interface Operation<Input, Output> {
  /** Moments on one clock of the recorder, each used once. */
  readonly invoked: number;
  readonly returned: number;
  readonly input: Input;
  readonly output: Output;
}

export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The state after an operation that had this output, or null where it could not have had it. */
  readonly step: (state: State, input: Input, output: Output) => State | null;
  /** Equal for equal states, and different for different ones. */
  readonly keyOf: (state: State) => string;
}

export function isLinearizable<State, Input, Output>(
  history: readonly Operation<Input, Output>[],
  { initial, step, keyOf }: Model<State, Input, Output>,
): boolean {
  const operations = history.toSorted((one, other) => one.invoked - other.invoked);
  const tried = new Set<string>();
  const search = (done: bigint, left: number, state: State): boolean => {
    if (left === 0) return true;
    const key = `${done} ${keyOf(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    // What began after another one had ended can not come before it.
    const firstEnd = operations.reduce(
      (least, { returned }, index) => (isDone(done, index) ? least : Math.min(least, returned)),
      Infinity,
    );
    return operations.some(({ invoked, input, output }, index) => {
      if (isDone(done, index) || invoked > firstEnd) return false;
      const next = step(state, input, output);
      return next !== null && search(done | (1n << BigInt(index)), left - 1, next);
    });
  };
  return search(0n, operations.length, initial);
}

function isDone(done: bigint, index: number): boolean {
  return ((done >> BigInt(index)) & 1n) === 1n;
}
