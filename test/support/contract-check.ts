/** Every answer that a test gets is compared with the OpenAPI document of the service; a difference fails the test. */
import { appendFileSync } from 'node:fs';
import { inject } from 'vitest';
import { Contract, type OpenApi } from './contract.ts';

let contract: Promise<Contract> | undefined;

/** Throws where an answer is not as the document says. Pages of test Workers are none of the service. */
export async function checkAgainstContract(method: string, response: Response, text: string): Promise<void> {
  const path = URL.parse(response.url)?.pathname ?? '';
  if (path.startsWith('/test/')) return;
  contract ??= load();
  const { status, headers } = response;
  const faults = (await contract).faultsOf(method, path, { status, headers, text });
  if (faults.length === 0) return;
  const log = process.env['CONTRACT_LOG'];
  if (log === undefined) throw new Error(`Not as /openapi.json says:\n${faults.join('\n')}`);
  appendFileSync(log, faults.map((fault) => `${fault}\n`).join(''));
}

async function load(): Promise<Contract> {
  const response = await fetch(`${inject('url')}/openapi.json`);
  return new Contract(await response.json<OpenApi>());
}
