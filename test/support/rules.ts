/** Permissions with rules, and what tests look at in answers under them. */
import type { Reply } from './client.ts';
import { EVERY_METHOD } from './people.ts';

/** A permission with rules, without ACL. */
export function under(path: string, rule: object, methods: readonly string[] = EVERY_METHOD) {
  return { path, methods, ...rule };
}

/** The codes of an error answer. */
export const codes = ({ body }: Reply) => body.errors.map(({ code }) => code);

/** The attribute `name` of each document of a list. */
export const names = ({ body }: Reply) => body.data.map(({ attributes }) => attributes?.['name']);
