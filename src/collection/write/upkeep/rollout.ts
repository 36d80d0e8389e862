/**
 * How a collection takes settings of its type (notify/pushes.ts tells the other side). Whatever they ask of
 * existing documents is done in steps, between which others are served; writes obey what comes from the first step on,
 * so that nothing has to be looked at twice. What a crash cuts short is done again by the next call.
 */
import pLimit from 'p-limit';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { holdOf, type TypeSettings } from '../../../domain/types/settings.ts';
import { historyHeld } from '../../rpc/refusals.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import { WRITE_STEP_DOCUMENTS, WRITE_STEP_TOUCHED, WRITE_STEP_UNITS } from '../../storage/steps.ts';
import type { Writes } from '../writes.ts';
import { Part, type Ground } from '../ground.ts';

interface Parts extends Pick<Ground, 'tables' | 'rest'> {
  readonly writes: Pick<Writes, 'exclusive'>;
  /** Does a walk, which may be long, in an invocation of its own. */
  readonly background: { run<T>(work: () => Promise<T>): Promise<T> };
}

export class Rollout extends Part<Parts> {
  readonly #turns = pLimit(1);

  stage(number: number, settings: TypeSettings | null): Promise<Outcome<null>> {
    return this.#turns(async () => {
      const { settings: table } = this.parts.tables;
      // A call that was still on its way when its sender died must not undo what came after it.
      if (table.number >= number) return fail('unavailable', 'The settings have changed since.');
      const hold = holdOf(table.current);
      return (settings?.history?.hold ?? 0) < hold ? historyHeld(hold) : this.#stage(number, settings);
    });
  }

  settle(number: number, settings: TypeSettings | null): Promise<void> {
    return this.#turns(async () => {
      const { settings: table } = this.parts.tables;
      if (table.number > number) return;
      const put = () =>
        this.parts.writes.exclusive(() => {
          const isSettled = table.settle(number, settings);
          this.parts.tables.versions.follow();
          return ok(isSettled);
        });
      const settled = await put();
      if (!settled.ok) return;
      if (!settled.value) {
        // The collection has lost its data, and has accepted that: it takes the settings anew.
        const staged = await this.#stage(number, settings);
        if (!staged.ok) throw new Error('The documents do not obey the settings of their type.');
        await put();
      }
      await this.#free();
    });
  }

  async #stage(number: number, settings: TypeSettings | null): Promise<Outcome<null>> {
    const { records, settings: table } = this.parts.tables;
    // What a former walk has left is not kept up to date.
    await this.#free();
    const begun = await this.parts.writes.exclusive(() => {
      table.stage(number, settings);
      return ok(records.lastSeq());
    });
    if (!begun.ok) return begun;
    const before = table.current;
    if (settings === null || !this.parts.tables.constraints.asksOfDocuments(settings, before))
      return ok(null);
    const adopt = (document: Positioned) => this.parts.tables.constraints.adopt(document, settings, before);
    return this.parts.background.run(() => this.#walk(begun.value, adopt));
  }

  /** Looks at every document up to a position, in steps, for what comes. */
  async #walk(last: number, visit: (document: Positioned) => Outcome<null>): Promise<Outcome<null>> {
    const { records, settings: table } = this.parts.tables;
    const pause = this.parts.rest();
    for (;;) {
      const row = table.coming;
      if (row === undefined || row.built >= last) return ok(null);
      const step = await this.parts.writes.exclusive(() => {
        const documents = records.next(row.built, WRITE_STEP_DOCUMENTS, WRITE_STEP_UNITS);
        const { touched } = this.parts.tables;
        const { checkpoint } = touched;
        let seen = documents.length === 0 ? last : row.built;
        for (const document of documents) {
          const visited = visit(document);
          if (!visited.ok) {
            table.refuse();
            return visited;
          }
          seen = document.seq;
          if (touched.since(checkpoint) > WRITE_STEP_TOUCHED) break;
        }
        table.note(row, seen);
        return ok(null);
      });
      if (!step.ok) return step;
      await pause();
    }
  }

  /** Removes what settings that leave have made, and settings in force do not make. */
  async #free(): Promise<void> {
    const { settings: table } = this.parts.tables;
    const pause = this.parts.rest();
    for (let row = table.leaving; row !== undefined; row = table.leaving) {
      const leaving = row;
      const step = await this.parts.writes.exclusive(() => {
        const built =
          leaving.settings === null
            ? null
            : this.parts.tables.constraints.release(leaving.settings, leaving.built);
        if (built === null) table.drop(leaving);
        else table.note(leaving, built);
        return ok(null);
      });
      if (!step.ok) return;
      await pause();
    }
  }
}
