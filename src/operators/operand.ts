/**
 * Carries our operands through mingo. mingo clones, normalizes and prints plain objects and arrays, but leaves
 * instances of classes alone. So an instance holds the operand, and mingo never sees a client's JSON.
 */

export class CarriedOperand<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }

  /** mingo prints its criteria for the message of an assertion, even when the assertion holds. */
  toJSON(): null {
    return null;
  }
}
