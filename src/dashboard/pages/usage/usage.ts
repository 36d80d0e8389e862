/** What an application uses, as the operator is told it. */
import { askAsOperator, pathOfApplications } from '../../session/service.ts';

export interface TypeUsage {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
  readonly indexes: number;
  readonly indexed: readonly { readonly path: string; readonly built: number }[];
  readonly calls: number;
  readonly requests: number;
  readonly errors: number;
  readonly 'rows-read': number;
  readonly 'rows-written': number;
}

export interface KeyUsage {
  readonly id: string;
  readonly name?: string;
  readonly requests: number;
  readonly errors: number;
}

export interface Usage {
  readonly requests: number;
  readonly errors: number;
  readonly documents: number;
  readonly bytes: number;
  readonly types: readonly TypeUsage[];
  readonly 'api-keys': readonly KeyUsage[];
}

/** The quotas that an application may have, with what they limit. */
export const QUOTAS = [
  ['requests', 'Requests a second'],
  ['documents', 'Documents'],
  ['bytes', 'Bytes'],
  ['types', 'Types'],
] as const;

export async function readUsage(application: string, signal: AbortSignal): Promise<Usage> {
  const { body } = await askAsOperator('GET', pathOfApplications(application, 'usage'), { signal });
  return body.meta as unknown as Usage;
}
