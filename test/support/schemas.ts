/** Schemas of types, and what they refuse. */
import type { Client, Reply } from './client.ts';

export function define(client: Client, target: string, content: unknown): Promise<Reply> {
  return client.create('/schemas/core.schema', { attributes: { target, content } });
}

/** The status, and of each error its code, place and keyword. */
export function violationsIn({ status, body }: Reply): readonly unknown[] {
  return [status, ...body.errors.map(({ code, source, meta }) => [code, source?.pointer, meta?.['keyword']])];
}
