/** The writers of a crash run: each has documents of its own, and writes until the service is gone. */
import type { Client } from '../../support/client.ts';
import { add, operate } from '../../support/operations.ts';
import type { Content, Promises, Vow } from '../promises.ts';
import type { Random } from '../random.ts';
import { answered } from './answered.ts';
import { transfer } from './bank.ts';
import { may } from '../../support/people.ts';

export const TYPE = 'entries';
export const WORDS = ['ash', 'birch', 'cedar', 'elm', 'fir'] as const;
/** Different values of `n`. */
export const NUMBERS = 7;

export class Writer {
  readonly #client: Client;
  readonly #promises: Promises;
  readonly #random: Random;
  readonly #name: string;
  readonly #own: string[] = [];
  readonly #ids = new Map<string, string>();
  #made = 0;

  constructor(client: Client, promises: Promises, random: Random, name: string) {
    this.#client = client;
    this.#promises = promises;
    this.#random = random;
    this.#name = name;
  }

  /** Writes until `over`, or until the service does not answer any more. */
  async run(over: () => boolean): Promise<void> {
    try {
      while (!over()) {
        const kind = this.#random.weighted({ create: 5, change: 4, remove: 1, many: 1, transfer: 2 });
        if (kind === 'create' || this.#own.length === 0) await this.#create();
        else if (kind === 'change') await this.#change();
        else if (kind === 'remove') await this.#remove();
        else if (kind === 'transfer') await transfer(this.#client, this.#random);
        else await this.#createMany(3);
      }
    } catch (error) {
      // A connection that broke is what the service is killed for. Whatever else is wrong must be told.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** Creates so many documents in one list of operations. */
  async #createMany(count: number): Promise<void> {
    const contents = Array.from({ length: count }, () => this.#content());
    for (const content of contents) this.#promises.begin(content.key, content);
    const reply = await operate(
      this.#client,
      contents.map((content) => add(TYPE, content)),
    );
    answered(reply, 200);
    for (const [index, { data }] of reply.results.entries()) {
      this.#settle(contents[index]?.key ?? '', data?.id ?? '', '');
    }
  }

  async #create(): Promise<void> {
    const content = this.#content();
    this.#promises.begin(content.key, content);
    const reply = await this.#client.create(`/resources/${TYPE}`, { attributes: content });
    answered(reply, 201);
    this.#settle(content.key, reply.body.data.id, reply.etag);
  }

  async #change(): Promise<void> {
    const key = this.#random.pick(this.#own);
    const id = this.#ids.get(key) ?? '';
    const content = { ...this.#content(), key };
    this.#promises.begin(key, content);
    const reply = await this.#client.update(`/resources/${TYPE}/${id}`, { attributes: content });
    answered(reply, 200);
    this.#settle(key, id, reply.etag);
  }

  async #remove(): Promise<void> {
    const key = this.#random.pick(this.#own);
    this.#promises.begin(key, null);
    this.#own.splice(this.#own.indexOf(key), 1);
    const id = this.#ids.get(key) ?? '';
    answered(await this.#client.delete(`/resources/${TYPE}/${id}`), 204);
    this.#promises.settle(key, id, '');
  }

  #settle(key: string, id: string, tag: string): void {
    if (!this.#ids.has(key)) this.#own.push(key);
    this.#ids.set(key, id);
    this.#promises.settle(key, id, tag);
  }

  #content(): Content {
    this.#made += 1;
    const key = `${this.#name}-${this.#made}`;
    return {
      key,
      n: this.#random.below(NUMBERS),
      words: `${this.#random.pick(WORDS)} ${this.#random.pick(WORDS)}`,
    };
  }
}

/** Promises of other kinds, made one after the other until the service is gone: schemas, tokens, keys. */
export async function makeVows(client: Client, round: number, vows: Vow[]): Promise<void> {
  try {
    vows.push(
      await schemaVow(client, `checked-${round}`),
      await schemaVow(client, `free-${round}`, true),
      await tokenVow(client),
      await keyVow(client),
    );
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

async function schemaVow(client: Client, target: string, isDeleted = false): Promise<Vow> {
  const content = { properties: { attributes: { required: ['title'] } }, required: ['attributes'] };
  const attributes = { target, content };
  const made = await client.create('/schemas/core.schema', { attributes });
  answered(made, 201);
  if (isDeleted) answered(await client.delete(`/schemas/core.schema/${made.body.data.id}`), 204);
  return {
    says: `a schema of ${target}${isDeleted ? ', which was deleted,' : ''}`,
    holds: async (later) =>
      (await later.create(`/resources/${target}`, { attributes: {} })).status === (isDeleted ? 201 : 422),
  };
}

async function tokenVow(client: Client): Promise<Vow> {
  const type = 'core.external-user';
  const user = await client.create(`/users/${type}`);
  answered(user, 201);
  const authorization = `External ${btoa(`id:${user.body.data.id}`)}`;
  const login = await client.post(`/users/${type}.token`, undefined, { authorization });
  answered(login, 201);
  const headers = { authorization: `Token ${String(login.body.data.attributes?.['token'])}` };
  // Its session and its copy know it.
  answered(await client.get(`/users/${type}/me`, headers), 200);
  answered(await client.delete(`/users/${type}.token/${login.body.data.id}`), 204);
  return {
    says: 'a token that was ended',
    holds: async (later) => (await later.get(`/users/${type}/me`, headers)).status === 401,
  };
}

async function keyVow(client: Client): Promise<Vow> {
  const attributes = { name: 'a key', permissions: [may('get', '.*')] };
  const made = await client.create('/api-keys/core.api-key', { attributes });
  answered(made, 201);
  const headers = { 'api-key': String(made.body.data.attributes?.['secure-id']) };
  answered(await client.get(`/resources/${TYPE}`, headers), 200);
  answered(await client.delete(`/api-keys/core.api-key/${made.body.data.id}`), 204);
  return {
    says: 'a key that was deleted',
    holds: async (later) => (await later.get(`/resources/${TYPE}`, headers)).status === 401,
  };
}
