/**
 * Structure-aware fuzzing: random requests built from the table of endpoints, to a service of its own. Whatever is
 * sent, the answer is what the documentation says an answer is, the service stays up, another application is as it
 * was, and the log tells of no fault.
 */
import fc from '../../support/fast-check.ts';
import { loadEndpoints } from '../../../scripts/endpoint-table.ts';
import { Operator } from '../../../scripts/operator.ts';
import { startRuntime } from '../../../scripts/runtime.ts';
import { Client, type Body, type Reply } from '../../support/client.ts';
import type { Figures, Limits } from '../run.ts';
import { faultsOfReply } from './check.ts';
import { settle, type Pool } from './pool.ts';
import { anyRequest, type Drawn } from './requests.ts';

/** Requests to one application; the next ones go to a fresh one, for this one may have lost its keys. */
const BATCH = 500;
/** Requests at a time. */
const ABREAST = 8;
const OPERATOR_SECRET = 'p'.repeat(40);

export async function runFuzz({
  seed,
  requests,
  until,
}: Limits & { readonly requests: number }): Promise<Figures> {
  const faults: string[] = [];
  const service = await startRuntime({
    port: 0,
    data: null,
    secrets: { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET },
    log: (line) => {
      if (line.includes('"fault"')) faults.push(line);
    },
  });
  const tally = new Tally();
  try {
    const operator = new Operator(service.url, OPERATOR_SECRET);
    const create = async () => {
      const { id, apiKey } = await operator.create('fuzzed');
      return new Client(service.url, id, apiKey);
    };
    const bystander = await create();
    const { id } = await bystander.make('notes', { title: 'as it was' });
    const endpoints = await loadEndpoints();
    const any = anyRequest(endpoints);
    for (let batch = 0; tally.requests < requests && Date.now() < until; batch += 1) {
      const numRuns = Math.min(BATCH, requests - tally.requests);
      const drawn = fc.sample(any, { seed: seed + batch, numRuns });
      const client = await create();
      await sendAll(client, await settle(client, OPERATOR_SECRET), drawn, tally);
      if (faults.length > 0) throw new Error(`The log tells of a fault: ${faults[0] ?? ''}`);
    }
    const { body } = await bystander.get('/resources/notes');
    if (body.meta.count !== 1 || body.data[0]?.id !== id) throw new Error('Another application was changed.');
    return {
      Requests: tally.requests,
      'answered with success': tally.successes,
      refused: tally.requests - tally.successes,
      'Endpoints that answered with success': tally.endpoints,
      'of all': endpoints.length,
      'Error codes seen': tally.codes,
    };
  } catch (error) {
    throw new Error(`The fuzzing of seed ${seed} failed after ${tally.requests} requests.`, { cause: error });
  } finally {
    await service.stop();
  }
}

async function sendAll(client: Client, pool: Pool, drawn: readonly Drawn[], tally: Tally): Promise<void> {
  const left = drawn[Symbol.iterator]();
  const worker = async () => {
    for (const request of left) {
      const reply = await sendOne(client, pool, request);
      if (reply === null) continue;
      const wrong = faultsOfReply(request, reply);
      if (wrong.length > 0) {
        const sent = JSON.stringify(request).slice(0, 3000);
        throw new Error(
          `${wrong.join('; ')}\n${sent}\nwas answered ${reply.status} ${reply.text.slice(0, 1000)}`,
        );
      }
      tally.add(request, reply);
      pool.learn(request, reply);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
}

/** Null for what can not be sent: a header that is none. */
async function sendOne(client: Client, pool: Pool, request: Drawn): Promise<Reply | null> {
  const path = pool.fill(request.path);
  const [, , , id = ''] = path.split(/[/?]/);
  const body = request.body === null ? null : pool.fill(request.body).replaceAll('<same>', id);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, text]) => [name, pool.fill(text)]),
  );
  const isSendable = Object.values(headers).every((text) => /^[\t\x20-\xff]*$/.test(text));
  const hasBody = body !== null && request.method !== 'GET' && request.method !== 'HEAD';
  if (!isSendable || !URL.canParse(client.url + path)) return null;
  return client.send(request.method, path, { headers, ...(hasBody && { body }) });
}

class Tally {
  requests = 0;
  successes = 0;
  readonly #endpoints = new Set<string>();
  readonly #codes = new Set<string>();

  get endpoints(): number {
    return this.#endpoints.size;
  }
  get codes(): number {
    return this.#codes.size;
  }

  add({ endpoint, method }: Drawn, reply: Reply): void {
    const { status } = reply;
    const body: Partial<Body> = reply.body;
    this.requests += 1;
    if (status < 400) {
      this.successes += 1;
      if (endpoint.startsWith(`${method} `)) this.#endpoints.add(endpoint);
    }
    for (const { code } of body.errors ?? []) this.#codes.add(code);
  }
}
