/**
 * Every answer that a test gets is compared with the OpenAPI document of the service; a difference fails it. Where a
 * test file asks for it, the document is that of the application: it has the schemas of its types.
 */
import { Contract, type OpenApi } from './contract.ts';

/** As it was before checked-fetch.ts. */
export const plainFetch = globalThis.fetch;

let contract: Promise<Contract> | undefined;
let service: string | undefined;

/** From now on the document of the service at this address is taken; without, that of the first that answers. */
export function compareWith(url: string): void {
  if (url !== service) contract = undefined;
  service = url;
  own = null;
}

/** Types whose traffic is known to differ from the schemas of their applications, and why; wrapped answers do, too. */
const KNOWN: Readonly<Record<string, string>> = {
  old: 'a document that was stored before the schema need not match it',
  busy: 'documents are written while the schema comes',
  dated: 'a schema that says string, and no format, does not tell that a date is sent as `$date`',
};

/** The documents that keys see of their applications; null before a test file asks for these. */
let own: Map<string, Promise<Contract>> | null = null;

/** From now on the document of each application is taken. */
export function compareWithOwn(): void {
  own = new Map();
}

/** What a request and its answer are compared with. */
function contractOf({ origin, pathname }: URL, sent: Headers, mediaType: string): Promise<Contract> {
  const credentials = ['application-id', 'api-key'].map((name) => [name, sent.get(name) ?? ''] as const);
  const [, , type = ''] = pathname.split('/');
  // A schema does not describe values in wrappers.
  const isKnown = type in KNOWN || mediaType.includes('/profiles/extended-json');
  if (own === null || isKnown || credentials.some(([, value]) => value === ''))
    return (contract ??= load(service ?? origin));
  const key = JSON.stringify(credentials);
  const found = own.get(key) ?? load(origin, Object.fromEntries(credentials));
  own.set(key, found);
  return found;
}

/**
 * Throws where an answer is not as the document says, or a request that was granted. Pages of test Workers are none of
 * the service.
 */
export async function checkAgainstContract(
  method: string,
  response: Response,
  text: string,
  { body = null, headers: sent = {} }: RequestInit = {},
): Promise<void> {
  const address = new URL(response.url);
  const path = address.pathname;
  // The runtime itself answers methods that it does not know, and addresses and headers that are too large for it.
  const isOfRuntime = !response.headers.has('x-request-id') && [414, 431, 501].includes(response.status);
  if (path.startsWith('/test/') || isOfRuntime) return;
  const { status, headers } = response;
  const document = await contractOf(address, new Headers(sent), headers.get('content-type') ?? '');
  // Other schemas, another document.
  if (method !== 'GET' && /^\/(schemas|operations)\b/.test(path)) own?.clear();
  const mediaType = new Headers(sent).get('content-type') ?? '';
  const asked = { method, address, mediaType, text: typeof body === 'string' ? body : null };
  const faults = [
    ...document.faultsOf(method, path, { status, headers, text }),
    ...(status < 300 && !response.redirected ? document.faultsOfRequest(asked) : []),
  ];
  if (faults.length > 0) throw new Error(`Not as /openapi.json says:\n${faults.join('\n')}`);
}

async function load(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Contract> {
  try {
    const response = await plainFetch(`${url}/openapi.json`, { headers });
    // A key that is wrong has no document; its refusals are those of everybody.
    if (!response.ok) return await load(url);
    return new Contract(await response.json<OpenApi>());
  } catch (error) {
    // A service that was killed meanwhile: the next one is asked.
    contract = undefined;
    own?.clear();
    throw error;
  }
}
