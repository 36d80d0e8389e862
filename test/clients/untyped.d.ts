/** What the tests use of client libraries that come without types. */
declare module 'devour-client' {
  type Fields = Readonly<Record<string, unknown>>;
  interface Answer {
    readonly data: Fields & readonly Fields[];
    readonly meta?: Fields;
  }
  interface Address {
    one(type: string, id: string): Address;
    all(name: string): Address;
    relationships(name?: string): Address;
    get(query?: Fields): Promise<Answer>;
    post(data: unknown): Promise<Answer>;
    patch(data: unknown): Promise<Answer>;
    destroy(data?: unknown): Promise<unknown>;
  }
  export default class JsonApi {
    headers: Fields;
    constructor(options: Fields);
    define(type: string, attributes: Fields): void;
    create(type: string, data: unknown): Promise<Answer>;
    find(type: string, id: string, query?: Fields): Promise<Answer>;
    findAll(type: string, query?: Fields): Promise<Answer>;
    update(type: string, data: unknown): Promise<Answer>;
    destroy(type: string, id: string): Promise<unknown>;
    one(type: string, id: string): Address;
  }
}

declare module 'jsonapi-serializer' {
  export class Serializer {
    constructor(type: string, options: object);
    serialize(data: object): object;
  }
  export class Deserializer {
    constructor(options: object);
    deserialize(document: unknown): Promise<unknown>;
  }
}

declare module 'ra-jsonapi-client' {
  interface Answer {
    readonly data: readonly { readonly id: string }[];
    readonly total?: number;
  }
  export type Provider = (kind: string, type: string, parameters: object) => Promise<Answer>;
  const client: (url: string, settings: object) => Provider;
  export default client;
}
