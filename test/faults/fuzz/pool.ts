/** What the service has answered, so that later requests can name what is there: ids, tags, cursors, tokens, keys. */
import type { Body, Client, Reply } from '../../support/client.ts';
import type { Drawn } from './requests.ts';
import { ACL, EVERY_METHOD, may } from '../../support/people.ts';

const MOST = 200;

type Kind = 'id' | 'aggregate' | 'tag' | 'cursor' | 'token' | 'key' | 'operator' | `of ${string}`;

export class Pool {
  readonly #lists = new Map<string, string[]>();
  /** Ids that no request may name: of the keys that the run itself uses. */
  readonly #spared = new Set<string>();

  add(kind: Kind, text: string): void {
    const list = this.#lists.get(kind) ?? [];
    this.#lists.set(kind, list);
    if (list.length < MOST) list.push(text);
    // The oldest give way: what is fresh is more likely to be there still.
    else list[Math.abs(hash(text)) % MOST] = text;
  }

  spare(id: string): void {
    this.#spared.add(id);
  }

  addDocument(type: string, id: string): void {
    // Applications are other people's.
    if (this.#spared.has(id) || type === 'core.application') return;
    this.add('id', id);
    this.add(`of ${type}`, id);
  }

  /** Takes from an answer what can be named again. */
  learn({ endpoint }: Drawn, reply: Reply): void {
    const { status, etag } = reply;
    const body: Partial<Body> = reply.body;
    if (status >= 300) return;
    if (etag !== '') this.add('tag', etag);
    const after = /page(?:%5B|\[)after(?:%5D|\])=([^&]+)/.exec(body.links?.next ?? '')?.[1];
    if (after !== undefined) this.add('cursor', decodeURIComponent(after));
    for (const document of Array.isArray(body.data) ? body.data.slice(0, 3) : [body.data]) {
      if (typeof document?.id !== 'string') continue;
      if (endpoint.includes('/aggregates/{type}')) this.add('aggregate', document.id);
      else this.addDocument(document.type, document.id);
      const token = document.attributes?.['token'];
      if (typeof token === 'string') this.add('token', token);
    }
  }

  /** A text with every placeholder replaced. */
  fill(text: string): string {
    return text
      .replaceAll(/<base64 ([^]*?>)>/g, (_, inner: string) => btoa(this.fill(inner)))
      .replaceAll(/<([a-z][^<>:]*):([0-9]+)>/g, (_, kind: string, number: string) => {
        const list = this.#lists.get(kind) ?? this.#lists.get('id') ?? [];
        return list[Number(number) % list.length] ?? 'none';
      });
  }
}

function hash(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1)
    bits = (Math.imul(bits, 31) + text.charCodeAt(index)) | 0;
  return bits;
}

/** An application with a few documents of every kind, and what it answered for them. */
export async function settle(client: Client, operatorSecret: string): Promise<Pool> {
  const pool = new Pool();
  pool.add('key', client.key);
  pool.add('operator', operatorSecret);
  const note = (kind: Kind, text: string) => {
    pool.add(kind, text);
    return text;
  };
  const people = [];
  for (const a of [1, 'ash elm', [1, 2], null]) {
    const attributes = { a, b: { a }, title: 'ash', where: { type: 'Point', coordinates: [8, 47] } };
    const made = await client.make('people', attributes);
    pool.addDocument('people', made.id);
    note('tag', made.etag);
    people.push({ type: 'people', id: made.id });
  }
  for (let n = 0; n < 8; n += 1) {
    const links = { author: { data: people[n % 4] ?? null }, kin: { data: people.slice(n % 4) } };
    pool.addDocument('notes', (await client.make('notes', { a: n % 3, b: [n, String(n)] }, links)).id);
  }
  const restricted = [may(EVERY_METHOD, '.*', ACL)];
  note('key', (await client.withPermissions(restricted)).key);
  for (const { id } of (await client.get('/api-keys/core.api-key')).body.data) pool.spare(id);
  const external = await client.create('/users/core.external-user');
  pool.addDocument('core.external-user', external.body.data.id);
  const authorization = `External ${btoa(`id:${external.body.data.id}`)}`;
  const login = await client.post('/users/core.external-user.token', undefined, { authorization });
  note('token', String(login.body.data.attributes?.['token']));
  const pipeline = [{ group: { id: '$a', total: { $sum: '$b' } } }];
  const definition = { 'input-type': 'notes', 'output-type': 'agt.sums', pipeline, parameters: { least: 1 } };
  await client.create('/aggregates/core.aggregate', { attributes: definition });
  for (const id of ['0', '1', '2']) note('aggregate', id);
  return pool;
}
