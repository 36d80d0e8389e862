/**
 * The last requests of each application, and the slowest and the refused ones of the day: as this isolate has served
 * them, in its memory alone, so noting one costs no call. At the edge they are a sample. The names of a query's
 * parameters are noted, and nothing of headers.
 */
import type { Trace } from '../../../auth/identify.ts';
import { Lru } from '../../../domain/caching/lru.ts';
import { recall } from '../../../domain/caching/recall.ts';
import type { ApplicationId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import { within } from '../transfer/types.ts';

/** Applications of which something is kept; of each, the last requests and the slowest. */
const APPLICATIONS = 50;
const LATEST = 100;
const SLOWEST = 20;
/** Milliseconds from which on a request may be among the slowest. */
const SLOW = 20;
/** Characters of a path and of the names of keys and parameters, and parameters, that are kept. */
const LONGEST = 200;
const PARAMETERS = 10;
const DAY = 86_400_000;

/** A request that was answered. */
interface Served {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string | null;
  readonly status: number;
  readonly milliseconds: number;
}

type Noted = ReturnType<typeof notedOf>;

interface Recent {
  /** The newest first. */
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
export function noteRequest(application: ApplicationId, served: Served, trace: Trace): void {
  const noted = notedOf(served, trace);
  const recorded = recall(recent, application, nothing);
  recorded.latest.unshift(noted);
  if (recorded.latest.length > LATEST) recorded.latest.pop();
  beginDay(recorded, served.at);
  const { status, milliseconds } = served;
  if (milliseconds >= SLOW) {
    const slowest = [...recorded.slowest, noted].sort((one, other) => other.milliseconds - one.milliseconds);
    recorded.slowest = slowest.slice(0, SLOWEST);
  }
  if (status < 400) return;
  const code = noted.code ?? String(status);
  recorded.errors.set(code, { count: (recorded.errors.get(code)?.count ?? 0) + 1, last: noted });
}

function beginDay(recorded: Recent, now: number): void {
  const day = Math.floor(now / DAY);
  if (recorded.day === day) return;
  recorded.day = day;
  recorded.slowest = [];
  recorded.errors.clear();
}

/** As it is kept. */
function notedOf({ path, ...served }: Served, { key = '', keyName, user, type, code, search }: Trace) {
  return {
    ...served,
    path: path && copied(path),
    type: type === undefined ? null : copied(type),
    key,
    'key-name': keyName === undefined ? null : copied(keyName),
    user: user === undefined ? null : { type: user.type, id: user.id },
    code: code ?? null,
    search:
      search === undefined
        ? null
        : { ...search, parameters: search.parameters.slice(0, PARAMETERS).map(copied) },
  };
}

/** The beginning of a text. A slice would hold the whole address of the request in memory, whose query may be long. */
function copied(text: string): string {
  return String(JSON.parse(JSON.stringify(text.slice(0, LONGEST).toWellFormed())));
}

const shown = (noted: Noted) => ({ ...noted, at: new Date(noted.at).toISOString() });

/** `GET …/requests` of an application. */
export const readRecent = within((inside) => {
  const recorded = recent.get(inside.application) ?? nothing();
  beginDay(recorded, Date.now());
  const { latest, slowest } = recorded;
  const errors = Array.from(recorded.errors, ([code, { count, last }]) => ({
    code,
    count,
    last: shown(last),
  }));
  errors.sort((one, other) => other.count - one.count);
  const meta = { requests: latest.map(shown), slowest: slowest.map(shown), errors };
  return Promise.resolve(ok({ status: 200, document: { meta } }));
});
