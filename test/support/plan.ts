/** How a search was done (docs/performance.md), as `foredge-explain` shows it to whoever has the operator secret. */
import { inject } from 'vitest';
import type { Client, Reply } from './client.ts';

export interface Plan {
  readonly way: string;
  readonly indexes: readonly string[];
  readonly scan: boolean;
  readonly 'rows-read': number;
  readonly 'documents-visited': number;
  readonly 'documents-decoded': number;
  readonly 'documents-returned': number;
}

export const explain = (client: Client, path: string, secret = inject('operatorSecret')): Promise<Reply> =>
  client.get(path, { 'foredge-explain': secret });

export const planOf = ({ body }: Reply): Plan => body.meta['plan'] as Plan;
