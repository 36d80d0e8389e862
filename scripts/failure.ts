/** What ends a command for a reason that its user can mend: told in one line, without a stack. */
import { getSystemErrorMessage } from 'node:util';

export class Failure extends Error {}

/** One line for whatever was thrown: what the system refuses is said with its path, a fault of ours with its stack. */
export function explain(error: unknown): string {
  if (error instanceof Failure) return error.message;
  if (isSystemError(error)) return systemFailure(error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface SystemError extends Error {
  readonly code: string;
  readonly errno: number;
  readonly path?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'code' in error;
}

/** A refusal of the operating system, in its own words. */
export function systemFailure(error: SystemError): Failure {
  // What removes whole folders gives the number without its sign.
  const reason = getSystemErrorMessage(-Math.abs(error.errno));
  return new Failure(error.path === undefined ? reason : `${error.path}: ${reason}.`, { cause: error });
}

/** Does what a command is for. What it throws is told in one line, and ends the process with 1. */
export async function orEnd(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}
