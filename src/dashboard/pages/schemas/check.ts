/** The schemas of a type, and what they say of a draft while it is written, by the service's own code. */
import { useMemo } from 'preact/hooks';
import { Work } from '../../../schema/work.ts';
import { parsed, type Fault } from '../../parts/fields/json.ts';
import { useQuiet } from '../../parts/fields/names.tsx';
import { useLoad } from '../../session/service.ts';
import { printedPlainly, shownToSchemas, type Draft } from '../document/draft.ts';
import { readSchemas } from '../document/shape.ts';

/** Steps of work (src/schema/work.ts) of a check while somebody types, who must not wait. */
const STEPS = 50_000;

/** What schemas without faults say of drafts, within so many steps. */
export async function checkerOf(schemas: readonly unknown[]) {
  const { compileSchema } = await import('../../../schema/compile.ts');
  const compiled = schemas.map((schema) => compileSchema(parsed(printedPlainly(schema))));
  return (draft: Draft, steps: number): readonly (Fault & { readonly isUnfinished: boolean })[] => {
    const work = new Work(steps);
    return (
      compiled
        .flatMap((each) => each.validateValue(shownToSchemas(draft), work))
        // Browsers do not tell what an internationalized name is in letters.
        .filter(({ detail }) => !detail.includes('idn-hostname'))
        .map(({ pointer, detail, keyword }) => ({
          pointer: pointer.slice('/data'.length),
          message: detail,
          isUnfinished: keyword === '$schema',
        }))
    );
  };
}

/** What sound schemas say. Stored ones may have faults, if a former release took them: the service is asked. */
async function storedCheckerOf(schemas: readonly unknown[]) {
  const { checkSchema } = await import('../../../schema/check.ts');
  const sound = schemas.filter((schema) => checkSchema(parsed(printedPlainly(schema))).length === 0);
  return { check: await checkerOf(sound), isPartial: sound.length < schemas.length };
}

/** The schemas are undefined where they may not be read, or documents of the type have none. */
export function useSchemas(type: string, draft: Draft, hasSome: boolean) {
  const { value: schemas } = useLoad(
    async (signal) => (hasSome ? readSchemas(type, signal) : undefined),
    [type],
  );
  const { value: checker } = useLoad(
    async () => (schemas?.length ? storedCheckerOf(schemas) : undefined),
    [schemas],
  );
  const written = useQuiet(draft);
  const faults = useMemo(() => checker?.check(written, STEPS) ?? [], [checker, written]);
  const isTooSlow = faults.some(({ isUnfinished }) => isUnfinished);
  const isPartial = isTooSlow || checker?.isPartial === true;
  return { schemas, isPartial, faults: isTooSlow ? [] : faults };
}
