/** Where the documents of a type are (docs/endpoints.md). */
import type { Link } from './transport.ts';

const MODULES: readonly (readonly [RegExp, string])[] = [
  [/^core\.api-key$/, 'api-keys'],
  [/^core\.(schema|type)$/, 'schemas'],
  [/^(core\.aggregate$|agt\.)/, 'aggregates'],
  [/^core\.webhook$/, 'webhooks'],
  [/^core\.audit-entry$/, 'audit'],
  [/^core\./, 'users'],
];

/** The path of a collection or of a document, and of what is below it. */
export function pathOf(type: string, ...below: readonly string[]): string {
  const target = type.replace(/(\.acl)+$/, '');
  const [, module = 'resources'] = MODULES.find(([pattern]) => pattern.test(target)) ?? [];
  return `/${[module, type, ...below].map(encodeURIComponent).join('/')}`;
}

export const pathOfDocument = ({ type, id }: Link, ...below: readonly string[]): string =>
  pathOf(type, id, ...below);

/** A name of a request, so that the service does it once however often it is sent. */
export function requestKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
