/** What a push would do to a target, and what that would mean: as data, in words, and as JSON. */
import { CORE } from '../../src/domain/types.ts';
import { changesBetween, changeText, type Change } from './changes.ts';
import { dangersOf, type Danger } from './effects.ts';
import { typesBeside } from './parts.ts';
import type { Project } from './project.ts';
import type { Remote } from './target.ts';

/** A change with what it would mean. */
type Planned = Change & { readonly dangers: readonly Danger[] };

export async function planOf(
  { declared }: Project,
  remote: Remote,
  prune: boolean,
): Promise<readonly Planned[]> {
  const plan: Planned[] = [];
  const stored = await remote.stored(prune ? undefined : typesBeside(declared));
  for (const change of changesBetween(declared, stored, prune)) {
    plan.push({ ...change, dangers: await dangersOf(remote, change) });
  }
  return plan;
}

export function printPlan({ name, url }: Remote, plan: readonly Planned[]): void {
  console.log(`${name}: ${url}${plan.length === 0 ? ' is as the files say.' : ''}`);
  for (const change of plan) {
    console.log(changeText(change));
    for (const { code, says, documents } of change.dangers) {
      console.log(`    ${code}: ${says}`);
      for (const { id, pointer, detail } of documents?.first ?? [])
        console.log(`      ${id}  ${pointer}  ${detail}`);
    }
  }
}

export function jsonOf({ name, url, application }: Remote, plan: readonly Planned[]): object {
  const changes = plan.map(({ action, part: { type, name: of }, members, before, after, dangers }) => {
    // A schema goes by its target.
    const named = type === CORE.schema ? { type, target: of } : { type, name: of };
    return { action, ...named, members, before, after, dangers };
  });
  return { target: name, url, application, changes };
}
