/** The one place where filters meet the regex module. */
import type { Pattern } from './conditions.ts';

/** Why a pattern cannot be used, as a sentence, or undefined when it can. */
export function faultOfPattern({ pattern, options }: Pattern): string | undefined {
  try {
    new RegExp(pattern, options.replace('x', ''));
    return undefined;
  } catch {
    return 'The pattern is not a valid regular expression.';
  }
}

/** The test of a subject by a pattern that is known to compile. */
export function compilePatternTest({ pattern, options }: Pattern): (subject: string) => boolean {
  const compiled = new RegExp(pattern, options.replace('x', ''));
  return (subject) => compiled.test(subject);
}
