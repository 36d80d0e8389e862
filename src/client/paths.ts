/** Where the documents of a type are (docs/endpoints.md). */
import type { Link } from './transport.ts';

/** The first segment of the paths of a type of the service's own, by its name after `core.`. */
const moduleOf = (name: string): string =>
  /^(api-key|schema|aggregate|webhook|file|application)$/.test(name)
    ? `${name}s`
    : name === 'type'
      ? 'schemas'
      : name === 'audit-entry'
        ? 'audit'
        : 'users';

/** The path of a collection or of a document, and of what is below it. */
export function pathOf(type: string, ...below: readonly string[]): string {
  const [, prefix, name = ''] = /^(core|agt)\.(.*?)(\.acl)*$/.exec(type) ?? [];
  const module = prefix === 'core' ? moduleOf(name) : prefix ? 'aggregates' : 'resources';
  return `/${[module, type, ...below].map(encodeURIComponent).join('/')}`;
}

/** The same for the types of accounts, in fewer bytes. */
export const pathOfAccounts = (...segments: readonly string[]): string =>
  `/users/${segments.map(encodeURIComponent).join('/')}`;

export const pathOfDocument = ({ type, id }: Link, ...below: readonly string[]): string =>
  pathOf(type, id, ...below);

/** A name of a request, so that the service does it once however often it is sent. */
export function requestKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
