/** A target of a project: the client of an application, and what it has stored of what projects declare. */
import { claimsOf } from '../../src/auth/credentials.ts';
import { connect, ForedgeError, type Database } from '../../src/client/index.ts';
import { pathOf } from '../../src/client/paths.ts';
import type { Answer, RequestOptions, Resource } from '../../src/client/transport.ts';
import { offerOf, shownName } from '../../src/domain/names.ts';
import { CORE } from '../../src/domain/types.ts';
import { CREDENTIALS, filesOf, readStrings } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { readOperatorSecret } from '../secrets.ts';
import type { Json } from '../json-objects.ts';
import { dataFolder, keyOfTarget, secretOf } from '../settings.ts';
import { Service } from '../transfer/service.ts';
import { groupNames } from './groups.ts';
import { factsOf, normal, PART_TYPES, type Part } from './parts.ts';
import { CONFIGURATION, type Project } from './project.ts';

/** A part as the service has it. */
export interface Stored extends Part {
  readonly id: string;
  readonly etag: string | undefined;
}

export class Remote {
  readonly name: string;
  readonly url: string;
  readonly application: string;
  readonly db: Database<object>;
  /** The id of the key that asks: it is no part of a project. */
  readonly #own: string | undefined;

  readonly #secret: string | null;

  /** `secret`: that of the operator, for what an API key cannot do; null without. */
  constructor(name: string, url: string, application: string, key: string, secret: string | null) {
    this.#secret = secret;
    this.name = name;
    this.url = url;
    this.application = application;
    this.db = connect<object>({ url, application, key });
    const claims = claimsOf(key);
    this.#own = claims?.kind === 'api-key' ? claims.id : undefined;
  }

  static of({ root, targets }: Project, name: string): Remote {
    const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
    if (target === undefined) {
      const offer = offerOf(name, Object.keys(targets));
      throw new Failure(`${CONFIGURATION} in ${root} has no target ${shownName(name)}.${offer}`);
    }
    const { url, application } = target;
    if (url !== undefined && application !== undefined) {
      // The secret of this machine goes to no other.
      return new Remote(name, url, application, keyOfTarget(name), secretOf('OPERATOR_SECRET') ?? null);
    }
    return Remote.here(name);
  }

  /** What runs on this machine. */
  static here(name = 'local'): Remote {
    const stored = readStrings(filesOf(dataFolder()).credentials, CREDENTIALS);
    if (stored === null)
      throw new Failure(`Nothing was ever started on ${dataFolder()}, the target ${name}.`);
    const { base_url: base, application_id: id, api_key: key } = stored;
    return new Remote(name, base, id, key, readOperatorSecret(dataFolder()));
  }

  /** A request; what the service refuses is a `Refusal`. */
  readonly request = async (method: string, path: string, options?: RequestOptions): Promise<Answer> => {
    try {
      return await this.db.request(method, path, options);
    } catch (error) {
      throw error instanceof ForedgeError ? new Refusal(error) : error;
    }
  };

  /** What the application has of these types of what projects declare, each with a tag that holds for it alone. */
  async stored(types: readonly string[] = PART_TYPES): Promise<readonly Stored[]> {
    const all: Stored[] = [];
    for (const type of types) {
      const seen = new Map<string, number>();
      for await (const { resource, etag } of this.documents(pathOf(type))) {
        const { id, attributes = {} } = resource;
        const value = attributes[factsOf(type).key];
        const name = typeof value === 'string' ? value : '';
        const index = type === CORE.schema ? (seen.get(name) ?? 0) : 0;
        seen.set(name, index + 1);
        if (id === this.#own) continue;
        const groups = type === CORE.accountSettings && (await groupNames(this, resource));
        all.push({ type, name, index, id, etag, attributes: ownOf(type, { ...attributes, ...groups }) });
      }
    }
    return all;
  }

  /** The documents at an address, page by page, in the order in which they were made. */
  async *documents(
    path: string,
    first = 'page[size]=1000&page[after]=&page[count]=false',
  ): AsyncGenerator<{ readonly resource: Resource; readonly etag: string | undefined }> {
    for (let query: string | undefined = first; query !== undefined;) {
      const { body, etag }: Answer = await this.request('GET', path, { query });
      for (const resource of (body.data ?? []) as readonly Resource[]) yield { resource, etag };
      // The address may begin with another origin, and with a path in front.
      const next = body.links?.next;
      query = typeof next === 'string' ? new URL(next).search.slice(1) : undefined;
    }
  }

  /** The operator's endpoints. */
  service(): Service {
    if (this.#secret === null) throw new Failure(`Set OPERATOR_SECRET to that of the target ${this.name}.`);
    return new Service(this.url, this.#secret);
  }

  /** How many documents a type has, or a filter finds. */
  async count(type: string, filter: Readonly<Record<string, string>> = {}): Promise<number> {
    const query = new URLSearchParams({ ...filter, 'page[limit]': '1' }).toString();
    const { body } = await this.request('GET', pathOf(type), { query });
    return body.meta?.count ?? 0;
  }
}

/** Of a schema, what it says; what else documents hold is somebody else's. */
function ownOf(type: string, attributes: Json) {
  const { target, content } = attributes;
  return normal(type, type === CORE.schema ? { target, content } : attributes);
}

/** What the service has refused, in its words. */
export class Refusal extends Failure {
  readonly error: ForedgeError;

  constructor(error: ForedgeError) {
    const { errors, message } = error;
    const lines = errors.map(({ title, detail, source }) => {
      const place = source?.pointer ?? source?.parameter ?? source?.header;
      const told = detail === undefined || detail === title ? title : `${title}: ${detail}`;
      return place === undefined ? told : `${told} (${place})`;
    });
    super(lines.join('\n') || message, { cause: error });
    this.error = error;
  }
}
