/**
 * The last requests of each application, and the slowest and the refused ones of the day: as this isolate has served them,
 * in its memory alone, so that noting one costs no call. At the edge they are a sample. No query and no header is noted.
 */
import type { SearchNote, Trace } from '../../../auth/identify.ts';
import { Lru } from '../../../domain/caching/lru.ts';
import { recall } from '../../../domain/caching/recall.ts';
import type { ApplicationId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import type { Handler } from '../../endpoint.ts';
import { applicationInside } from '../transfer/inside.ts';

/** Applications of which something is kept; of each, the last requests and the slowest. */
const APPLICATIONS = 50;
const LATEST = 100;
const SLOWEST = 20;
/** Milliseconds from which on a request may be among the slowest. */
const SLOW = 20;
/** Characters of a path and of a parameter's name, and parameters, that are kept. */
const LONGEST = 200;
const PARAMETERS = 10;
const DAY = 86_400_000;

interface Noted extends Trace {
  /** Of the request. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string | null;
  readonly status: number;
  readonly milliseconds: number;
}

interface Recent {
  /** The oldest first. */
  readonly latest: Noted[];
  /** The day of what follows. */
  day: number;
  slowest: Noted[];
  /** By code, of which there are few. */
  readonly errors: Map<string, { count: number; last: Noted }>;
}

const recent = new Lru<ApplicationId, Recent>(APPLICATIONS);

const nothing = (): Recent => ({ latest: [], day: 0, slowest: [], errors: new Map() });

/** Notes a request of a genuine key. */
export function noteRequest(application: ApplicationId, request: Noted): void {
  const noted = bounded(request);
  const kept = recall(recent, application, nothing);
  kept.latest.push(noted);
  if (kept.latest.length > LATEST) kept.latest.shift();
  beginDay(kept, noted.at);
  const { status, milliseconds } = noted;
  if (milliseconds >= SLOW) {
    const slowest = [...kept.slowest, noted].sort((one, other) => other.milliseconds - one.milliseconds);
    kept.slowest = slowest.slice(0, SLOWEST);
  }
  if (status < 400) return;
  const code = noted.code ?? String(status);
  kept.errors.set(code, { count: (kept.errors.get(code)?.count ?? 0) + 1, last: noted });
}

function beginDay(kept: Recent, now: number): void {
  const day = Math.floor(now / DAY);
  if (kept.day === day) return;
  kept.day = day;
  kept.slowest = [];
  kept.errors.clear();
}

function bounded(request: Noted): Noted {
  const { path, type, search } = request;
  return {
    ...request,
    path: path && copied(path),
    ...(type !== undefined && { type: copied(type) }),
    ...(search !== undefined && {
      search: { ...search, asked: search.asked.slice(0, PARAMETERS).map(copied) },
    }),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The beginning of a text. A slice would hold the whole address of the request in memory, whose query may be long. */
function copied(text: string): string {
  return decoder.decode(encoder.encode(text.slice(0, LONGEST)));
}

/** `GET …/requests` of an application. */
export const readRecent: Handler = async (context) => {
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const kept = recent.get(inside.value.application) ?? nothing();
  beginDay(kept, Date.now());
  return ok({
    status: 200,
    document: {
      meta: {
        requests: kept.latest.map(presented).reverse(),
        slowest: kept.slowest.map(presented),
        errors: [...kept.errors]
          .sort(([, one], [, other]) => other.count - one.count)
          .map(([code, { count, last }]) => ({ code, count, last: presented(last) })),
      },
    },
  });
};

function presented({ id, at, method, path, type, key, keyName, user, ...rest }: Noted): Presentable {
  const { status, code, milliseconds, search } = rest;
  return {
    ...{ id, at: new Date(at).toISOString(), method, path },
    ...{ type: type ?? null, key: key ?? '', 'key-name': keyName ?? null },
    user: user === undefined ? null : { type: user.type, id: user.id },
    ...{ status, code: code ?? null, milliseconds },
    search: search === undefined ? null : presentedSearch(search),
  };
}

function presentedSearch({ way, scan, visited, asked }: SearchNote): Presentable {
  return { way, scan, 'documents-visited': visited, parameters: asked };
}
