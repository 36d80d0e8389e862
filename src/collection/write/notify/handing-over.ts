/**
 * Writes of settings of types, in the collection of these settings. The collection of the type may refuse new settings,
 * so it is asked before they are stored: it prepares what comes (stage), the settings are stored, and it keeps what is
 * stored (settle). What is pending is noted before the first of these, so that after a crash at any moment the alarm
 * lets the type keep what is stored. One write goes after the other, because each asks on top of what is stored.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { TypeSettings } from '../../../domain/types/settings.ts';
import { storedType } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { openSettings } from './pushed.ts';
import type { Pushes } from './pushes.ts';
import type { Ground } from '../ground.ts';
import { tried } from '../lists/undone.ts';

/** What a write of settings would change. */
interface Trial {
  readonly target: string;
  readonly settings: TypeSettings | null;
}

/** Performs a write of one document; `idOf` gives its id, `given` is the id that it has before, null for none. */
export function handOver<T>(
  ground: Ground,
  pushes: Pushes,
  { application }: CollectionName,
  given: DocumentId | null,
  work: () => Outcome<T>,
  idOf: (value: T) => DocumentId,
): Promise<Outcome<T>> {
  const { environment, tables, writes } = ground;
  return pushes.inTurn(async () => {
    await pushes.settle();
    const trial = tryOut(ground, given, work, idOf);
    if (!trial.ok) return trial;
    // A request that is repeated after its settings were deleted changes nothing.
    if (trial.value === null) return writes.alone(work);
    const { target, settings } = trial.value;
    const noted = writes.alone(() => {
      const number = tables.records.nextVersion();
      pushes.note('settings', application, target, number);
      return ok(number);
    });
    if (!noted.ok) return noted;
    await pushes.remind();
    const { calls } = collectionOf({ environment, application }, storedType(target));
    const taken = await calls.stageSettings(noted.value, settings);
    const written = taken.ok ? writes.alone(work) : taken;
    await pushes.settle();
    return written;
  });
}

/** What a write would change, or why it is refused: it is performed and undone. */
function tryOut<T>(
  { tables: { records }, writes }: Ground,
  given: DocumentId | null,
  work: () => Outcome<T>,
  idOf: (value: T) => DocumentId,
): Outcome<Trial | null> {
  const trial = (): Outcome<Trial | null> => {
    const before = given === null ? undefined : records.find(given);
    const result = work();
    if (!result.ok) return result;
    const after = records.find(given ?? idOf(result.value));
    const source = after ?? before;
    if (source === undefined) return ok(null);
    const { target, content } = openSettings(source);
    return ok({ target, settings: after === undefined ? null : content });
  };
  return tried((doing) => writes.alone<never>(doing), trial);
}
