/**
 * What an endpoint is, as data: routing, the table in the docs and the checks of a request come from these
 * descriptions. Also the input and the result of a handler: modules see nothing else of HTTP.
 */
import type { TagSeal } from '../auth/tag-seal.ts';
import type { Device } from '../auth/tokens/documents.ts';
import type { Caller, Trace } from '../auth/identify.ts';
import type { Auditor } from '../collection/rpc/writes/target.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import type { Document } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { Parsed } from '../domain/values/json.ts';
import type { RequestMemory } from '../domain/work/memory.ts';
import type { Outcome, ProblemCode } from '../domain/problems.ts';
import type { Requester } from '../domain/rules.ts';
import type { Presentable } from '../domain/values/present.ts';
import type { Stopwatch } from '../domain/work/stopwatch.ts';
import type { AnswerName } from './contents/answers.ts';
import type { BodyName } from './contents/bodies.ts';
import type { ParameterFamily, RequestHeader } from './contents/parameters.ts';
import type { TypeName } from '../domain/types.ts';
import type { EntityTag, TagList } from './documents/tags/etag.ts';
import type { PieceReader } from './files/pieces.ts';
import type { storeFile, StoredFile } from './files/upload.ts';
import type { PathParameters } from './path-parameters.ts';
import type { PreferenceName, Preferences } from './preferences.ts';

/** Who may call: callers that an API key's permissions admit, or the operator by a secret. */
export type Audience = 'application' | 'operator';

/** How somebody logs in, by the `Authorization` header of the request. */
export type LoginScheme = 'password' | 'refresh' | 'external-user' | 'id-token';

/** The operator's endpoints are those of applications. */
export function audienceOf({ path }: Pick<Endpoint, 'path'>): Audience {
  return path.startsWith('/applications') ? 'operator' : 'application';
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Segments; `{type}`, `{id}` and `{name}` stand for parameters. */
  readonly path: string;
  readonly summary: string;
  /** For those who log in here; others send a token, where a user counts. */
  readonly logins?: readonly LoginScheme[];
  readonly parameters?: readonly ParameterFamily[];
  readonly headers?: readonly RequestHeader[];
  /** What it heeds in `Prefer`, besides what every endpoint does. */
  readonly preferences?: readonly PreferenceName[];
  /** The body, by its name in contents/bodies.ts; absent if there is none. */
  readonly body?: BodyName;
  /** The address of the JSON:API extension of the endpoint: body and answer name it as their `ext`. */
  readonly extension?: string;
  /** What of it is lines of JSON, and no JSON:API: the body, which the handler gets as text, or the answer. */
  readonly lines?: 'body' | 'answer';
  /** What of it is a file's content, and no JSON:API: the body, which is stored before the handler runs, or the answer;
   * or a part of it, which the handler takes as a stream. */
  readonly content?: 'body' | 'answer' | 'stream';
  /** How such a body is stored; by default as the content of a new file. */
  readonly stores?: (parameters: PathParameters) => typeof storeFile;
  /** The media type of the file that is the answer, and no JSON:API. */
  readonly file?: string;
  /** True where a request may ask for a stream in the place of an answer. */
  readonly streams?: true;
  /** Bytes and levels of the body, if they differ from those of other endpoints. */
  readonly bodyLimit?: number;
  readonly bodyDepth?: number;
  /** Successful statuses, with what they carry, by its name in contents/answers.ts. */
  readonly answers: Readonly<Record<number, AnswerName>>;
  /** The type of the documents, where the path does not say it. */
  readonly documents?: TypeName;
  /** Its own problems, besides those that come with what it takes (contents/problems.ts). */
  readonly problems?: readonly ProblemCode[];
  /** True for what only a key with `bulk` among the methods has: for others there is no such endpoint. */
  readonly bulk?: true;
  /** True when a `{type}` is one this endpoint serves; every type by default. */
  readonly serves?: (type: string) => boolean;
  /** True when an `{id}` may be one here; 24 hexadecimal digits by default. */
  readonly knowsId?: (id: string) => boolean;
  readonly handle: Handler;
}

export type Handler = (context: RequestContext) => Promise<Outcome<Answer>>;

/** The query of a request, read but not yet understood by the module. */
export interface Query {
  /** The parameters in order, decoded. */
  readonly entries: readonly (readonly [name: string, value: string])[];
  /** The parameters as links have them, encoded and without a question mark; and those of them that say no page. */
  readonly text: string;
  readonly unpaged: string;
  readonly page: RequestPage;
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Paths of relationship names, or null without `include`. */
  readonly include: readonly (readonly string[])[] | null;
  /** Filter expressions: `field` is null for `filter[*]`. */
  readonly filters: readonly { readonly field: string | null; readonly text: string }[];
  readonly sort: string | null;
  /** The mark of a feed; null from the beginning. */
  readonly since: string | null;
  /** JSON texts by the names of an aggregate's parameters. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The moment as of which documents are asked for, in milliseconds since 1970; null for now. */
  readonly at: number | null;
  /** What stands alone, by its name: switches such as `tokens`, and the size of a picture (files/sizes.ts). */
  readonly single: ReadonlyMap<string, string>;
}

export type RequestPage = {
  /** Whether the answer tells how many documents match. */
  readonly counted: boolean;
} & (
  | { readonly style: 'offset'; readonly offset: number; readonly limit: number }
  | { readonly style: 'number'; readonly number: number; readonly size: number }
  /** JSON:API's cursor pagination profile; `after` is null for the first page. */
  | { readonly style: 'cursor'; readonly after: string | null; readonly size: number }
);

/** What the head of a request asks for. */
export interface ReadHead {
  readonly query: Query;
  readonly ifMatch: TagList;
  readonly ifNoneMatch: TagList;
  /** What tells a request that is sent again; null without. */
  readonly idempotencyKey: string | null;
  readonly preferences: Preferences;
  /** True when answers show values in wrappers: the request asks for the extended-json profile. */
  readonly wrapped: boolean;
  /** True when the answer is to be rows of CSV, made of its document. */
  readonly csv: boolean;
}

/** One request, as a handler sees it; in `path` and `parameters`, `me` is resolved. */
export interface RequestContext
  extends ReadHead, Pick<Caller, 'access' | 'apiKey' | 'application' | 'explaining' | 'path' | 'quotas'> {
  readonly environment: Environment;
  /** Who it is, where the application keeps an audit trail. */
  readonly auditor?: Auditor | undefined;
  /** Who writes; absent for a read. */
  readonly requester?: Requester | undefined;
  /** Changes with the secret that signs credentials. */
  readonly signature: string;
  /** Seals the application's entity tags. */
  readonly tagSeal: TagSeal;
  /** The start of links: scheme, host, port, and the path of a public address; no slash at the end. */
  readonly base: string;
  readonly parameters: PathParameters;
  /** True when the address has `me`. */
  readonly me: boolean;
  /** The parsed body; null if the endpoint has none. */
  readonly body: Parsed;
  /** The content that came as the body, in the bucket already. */
  readonly stored?: StoredFile | undefined;
  /** The headers and the body of a request whose handler reads these itself. */
  readonly sent?: SentStream | undefined;
  /** How a content is asked for. */
  readonly content?: ContentRequest | undefined;
  /** What the making of the answer holds of an isolate's memory, where it is for a request. */
  readonly memory?: RequestMemory | undefined;
  /** Measures the calls of collections, if the answer is to tell how long they took. */
  readonly calls?: Stopwatch | undefined;
  /** Notes of what became of the request. */
  readonly trace?: Trace | undefined;
  /** Tells something of each document that a list shows, by its id. */
  readonly tells?: (
    documents: readonly Document[],
  ) => Promise<ReadonlyMap<DocumentId, Record<string, Presentable>>>;
  /** True when the operator asks how the answer was found. */
  readonly explain: boolean;
  /** What is done once the handler has ended, whatever came of it; absent for a read. */
  readonly afterwards?: (() => Promise<unknown>)[] | undefined;
  /** Where the request comes from; absent for a read. */
  readonly device?: Device | undefined;
  /** The `Authorization` header, for logins. */
  readonly authorization: string | null;
  /** The page that asks, as its browser says it. */
  readonly origin?: string | null;
  /** The address of the client, if it is known. */
  readonly address: string | null;
}

/** A request that is read by its handler. */
export interface SentStream {
  readonly headers: Headers;
  readonly reader: PieceReader | undefined;
  /** Lets work go on after the client has gone. */
  readonly outlive: (work: Promise<unknown>) => void;
  /** The request as it is permitted now, after a body that took long. */
  readonly again: () => Promise<Outcome<RequestContext>>;
}

/** The headers by which a content is asked for, as they were sent. */
export interface ContentRequest {
  /** Whether only the headers of the answer are asked for. */
  readonly isHead: boolean;
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifUnmodifiedSince: string | null;
  readonly ifModifiedSince: string | null;
  readonly accept: string | null;
}

/** Who is shown documents, and how: a request, or a stream. */
export type Reader = Pick<
  RequestContext,
  'access' | 'apiKey' | 'application' | 'base' | 'environment' | 'query' | 'wrapped'
>;

/** The document of an answer: its top-level members, but for those that the service adds to every document. */
export interface AnswerDocument {
  readonly links?: Readonly<Record<string, Presentable>>;
  readonly meta?: Readonly<Record<string, Presentable>>;
  readonly [member: string]: Presentable;
}

/** A text that is made while it is sent. */
export interface TextInParts {
  readonly parts: Generator<string, void>;
  /** Of what the parts are made of, which is held until all of them are sent. */
  readonly bytes: number;
}

/** A successful answer. Without a document it has no body. */
export interface Answer {
  readonly status: 200 | 201 | 204 | 206 | 304;
  readonly document?: AnswerDocument;
  readonly tag?: EntityTag;
  /** True when no cache may keep the answer, not even the client's own. */
  readonly confidential?: boolean;
  readonly location?: string;
  /** Others than those of every answer of its kind. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Lines of JSON, or of CSV, in the place of a document, and the address of those that follow; null for none. */
  readonly lines?: {
    readonly text: string | TextInParts;
    readonly next: string | null;
    readonly isCsv?: boolean;
  };
  /** The content of a file in place of a document; no body where the client has it, or asks for the headers alone. */
  readonly content?: {
    readonly mediaType: string;
    readonly body: ReadableStream<Uint8Array> | null;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** A file in the place of a document: it is sent as it comes. */
  readonly file?: ReadableStream<Uint8Array>;
}
