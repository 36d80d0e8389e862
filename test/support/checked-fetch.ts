/**
 * What tests fetch by themselves, or libraries for them, is compared with the OpenAPI document, too: an answer of the
 * service that differs fails its test at the end. The client of the tests (client.ts) checks its own, and at once.
 */
import { afterEach, expect, inject } from 'vitest';
import { checkAgainstContract, compareWith, plainFetch } from './contract-check.ts';

compareWith(inject('url'));

const looking: Promise<string | null>[] = [];

/** What differs in an answer; null for nothing, also where its test did not wait for the body. */
async function look(
  method: string,
  response: Response,
  init: RequestInit | undefined,
): Promise<string | null> {
  const text = await response.text().catch(() => null);
  if (text === null) return null;
  return checkAgainstContract(method, response, text, init).then(
    () => null,
    (difference: unknown) => String(difference),
  );
}

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  // Others that tests talk to have no such header.
  if (response.headers.has('x-request-id')) {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    looking.push(look(method.toUpperCase(), response.clone(), init));
  }
  return response;
};

afterEach(async () => {
  const differences = await Promise.all(looking.splice(0));
  expect(differences.filter((difference) => difference !== null)).toEqual([]);
});
