/** Every answer that a test gets is compared with the OpenAPI document of the service; a difference fails the test. */
import { inject } from 'vitest';
import { Contract, type OpenApi } from './contract.ts';

/** As it was before checked-fetch.ts. */
export const plainFetch = globalThis.fetch;

let contract: Promise<Contract> | undefined;

/** Throws where an answer is not as the document says. Pages of test Workers are none of the service. */
export async function checkAgainstContract(method: string, response: Response, text: string): Promise<void> {
  const path = URL.parse(response.url)?.pathname ?? '';
  // The runtime itself answers methods that it does not know, and addresses and headers that are too large for it.
  const isOfRuntime = !response.headers.has('x-request-id') && [414, 431, 501].includes(response.status);
  if (path.startsWith('/test/') || isOfRuntime) return;
  contract ??= load();
  const { status, headers } = response;
  const faults = (await contract).faultsOf(method, path, { status, headers, text });
  if (faults.length > 0) throw new Error(`Not as /openapi.json says:\n${faults.join('\n')}`);
}

async function load(): Promise<Contract> {
  const response = await plainFetch(`${inject('url')}/openapi.json`);
  return new Contract(await response.json<OpenApi>());
}
