/** Error answers in one line each, so that a table of cases can hold them. */
import type { Reply } from './client.ts';

/**
 * The errors of an answer as `status code place`. A place is a pointer (`/data/id`), a parameter (`?sort`) or a
 * header (`If-Match:`); an error without one ends after its code.
 */
export function faultsOf({ body, text }: Reply): readonly string[] {
  if (!Array.isArray(body.errors)) return [`no errors: ${text}`];
  return body.errors.map(({ status, code, source }) => {
    const { pointer, parameter, header } = source ?? {};
    const places = [
      pointer,
      parameter === undefined ? undefined : `?${parameter}`,
      header === undefined ? undefined : `${header}:`,
    ];
    return [status, code, ...places.filter((place) => place !== undefined)].join(' ');
  });
}
