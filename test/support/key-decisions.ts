/** Questions about what an API key decides, and their answers. */
import { expect } from 'vitest';
import { Client, type Reply } from './client.ts';
import { NOBODY, type Person } from './people.ts';

export interface Told {
  readonly admitted: boolean;
  readonly acl: boolean;
  readonly paths: readonly {
    readonly path: string;
    readonly permission: number | null;
    readonly passed: string[];
  }[];
  readonly document: { readonly right: string; readonly granted: boolean | null } | null;
  readonly errors: readonly { readonly status: string; readonly code: string; readonly detail: string }[];
}

/** A client with these permissions, and the id of its key. */
export async function keyed(
  trusted: Client,
  permissions: unknown,
): Promise<{ readonly client: Client; readonly id: string }> {
  const attributes = { name: 'a key', permissions };
  const made = await trusted.create('/api-keys/core.api-key', { attributes });
  if (made.status !== 201) throw new Error(made.text);
  const secureId = String(made.body.data.attributes?.['secure-id']);
  return { client: new Client(trusted.url, trusted.application, secureId), id: made.body.data.id };
}

export const question = (method: string, path: string, person: Person = NOBODY) => ({
  meta: { method, path, user: person === NOBODY ? null : person.link },
});

export const ask = (client: Client, id: string, body: unknown): Promise<Reply> =>
  client.post(`/api-keys/core.api-key/${id}/decision`, body);

export const told = ({ status, body, text }: Reply): Told => {
  expect(status, text).toBe(200);
  return body.meta as unknown as Told;
};
