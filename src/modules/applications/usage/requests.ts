/**
 * Requests as this isolate counts them, by application and API key: in Analytics Engine where it is bound, without a
 * call. Else they are handed on together, at most once in some seconds for each application, after the answer.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Environment } from '../../../collection/rpc/environment.ts';
import { countedAs, OF_TYPE, type CountedRequests } from '../../../collection/rpc/maintenance/usage.ts';
import { recall } from '../../../domain/caching/recall.ts';
import type { ApplicationId } from '../../../domain/ids.ts';
import { CORE } from '../../../domain/types.ts';

interface Counted {
  requests: number;
  errors: number;
}

type CountedKeys = Map<string, Counted>;

/** What is not handed on yet. Only genuine keys are counted, so made-up ones cannot fill it. */
const waiting = new Map<ApplicationId, CountedKeys>();

/** A request that was answered. */
interface Answered {
  readonly application: ApplicationId;
  /** The id of the API key. */
  readonly key: string;
  /** The type that its path names; null for none. */
  readonly type: string | null;
  readonly status: number;
}

/** Counts a request; after `delay` milliseconds the counts of its application are handed on. 0: nothing is counted. */
export function countRequest(
  environment: Environment,
  { application, key, type, status }: Answered,
  delay: number,
  outlive: (work: Promise<void>) => void,
): void {
  if (delay === 0) return;
  const counted = { requests: 1, errors: status >= 400 ? 1 : 0 };
  if (environment.USAGE !== undefined) {
    const doubles = [counted.requests, counted.errors];
    environment.USAGE.writeDataPoint({ indexes: [application], blobs: [key, type ?? ''], doubles });
    return;
  }
  const isFirst = !waiting.has(application);
  const keys = recall(waiting, application, (): CountedKeys => new Map());
  add(keys, key, counted);
  if (type !== null) add(keys, `${OF_TYPE}${type}`, counted);
  if (isFirst) outlive(later(environment, application, delay));
}

async function later(environment: Environment, application: ApplicationId, delay: number): Promise<void> {
  await scheduler.wait(delay);
  await handOn(environment, application);
}

/** Hands on what this isolate has counted of an application. */
export async function handOn(environment: Environment, application: ApplicationId): Promise<void> {
  const keys = waiting.get(application);
  if (keys === undefined) return;
  waiting.delete(application);
  const counted: CountedRequests = Object.fromEntries(keys);
  try {
    await collectionOf({ environment, application }, CORE.typeRegistry).calls.countRequests(counted);
  } catch (error) {
    // They wait for the next request that is counted.
    console.warn(`Counts of requests were not taken: ${String(error)}`);
    const again = waiting.get(application);
    if (again !== undefined) for (const [key, each] of keys) add(again, key, each);
  }
}

/** The same of all applications: the isolate is about to end. */
export async function handOnAll(environment: Environment): Promise<void> {
  await Promise.all([...waiting.keys()].map((application) => handOn(environment, application)));
}

function add(keys: CountedKeys, key: string, { requests, errors }: Counted): void {
  const name = countedAs(key, keys);
  const counted = recall(keys, name, (): Counted => ({ requests: 0, errors: 0 }));
  counted.requests += requests;
  counted.errors += errors;
}
