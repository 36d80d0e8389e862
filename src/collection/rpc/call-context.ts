/** On whose behalf collections are called, and the calls. */
import type { StorageQuotas } from '../../domain/applications/quotas.ts';
import type { ApplicationId } from '../../domain/ids.ts';
import type { Requester } from '../../domain/rules.ts';
import type { RequestMemory } from '../../domain/work/memory.ts';
import type { Stopwatch } from '../../domain/work/stopwatch.ts';
import type { Calls, CollectionObject, Remote } from './contract.ts';
import type { Environment } from './environment.ts';
import type { Auditor, WriteTarget } from './writes/target.ts';

/** Who asks: the application's collections are those that the environment holds under its name. */
export interface CallContext {
  readonly environment: Pick<Environment, 'BACKUPS' | 'COLLECTIONS' | 'FILES' | 'IMAGES'>;
  readonly application: ApplicationId;
  /** What the application may store, where something limits those who ask. */
  readonly quotas?: StorageQuotas | undefined;
  /** Who they are, where the application keeps an audit trail. */
  readonly auditor?: Auditor | undefined;
  /** Who writes; absent where only reads are asked for. */
  readonly requester?: Requester | undefined;
  /** What the request that asks holds of its isolate's memory. */
  readonly memory?: RequestMemory | undefined;
  /** Measures the calls. */
  readonly calls?: Stopwatch | undefined;
}

/** The calls of a collection; they count, where a stopwatch measures them. */
export function callsOf(target: WriteTarget, call: CollectionObject['call'], stopwatch?: Stopwatch): Remote {
  const made = (name: keyof Calls) => {
    const sent = async (...given: readonly unknown[]) => await call(target, name, ...given);
    return stopwatch === undefined
      ? sent
      : (...given: readonly unknown[]) => stopwatch.during(() => sent(...given));
  };
  // The contract says which calls there are.
  return new Proxy({} as Remote, { get: (_, name) => made(name as keyof Calls) });
}
