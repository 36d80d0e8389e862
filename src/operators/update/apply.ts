/**
 * Applies an update to a document, as a pure function. All paths are one tree, which is walked once: each array and
 * object on the way is copied once, however many operators reach into it, and the input never changes.
 */
import { LIMITS, TOLD } from '../../domain/limits.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { failed, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import { deeperThan, isFields, kindOf, type Fields, type Value } from '../../domain/values/values.ts';
import { compareStrings } from '../../query/order/strings.ts';
import { POSITION, type Path } from '../../query/walk.ts';
import type { WorkBudget } from '../../domain/work/work.ts';
import { UpdateRefusal } from './operator.ts';
import { addPath, LEVELS_AROUND, newBranch, type Branch } from './paths.ts';
import { Run } from './run.ts';
import { applyStep, operatorOf } from './table.ts';
import type { UpdateStep, Update } from './update.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

/** What is done at the end of a path. */
interface Leaf {
  readonly step: UpdateStep;
  readonly creates: boolean;
  readonly apply: (current: Value | undefined) => Value | undefined | UpdateRefusal;
}

/**
 * The attributes after the update, or why it can not be made. Pointers are those of a request's body. `shared` is what
 * several updates of one list may take together.
 */
export function applyUpdate(
  attributes: Fields,
  update: Update,
  now: Date,
  shared: WorkBudget | null = null,
): Outcome<Fields> {
  const application = new Application(attributes, new Run(now, attributes, shared));
  return application.run(update);
}

class Application {
  readonly #attributes: Fields;
  readonly #run: Run;
  readonly #faults: Problem[] = [];

  constructor(attributes: Fields, run: Run) {
    this.#attributes = attributes;
    this.#run = run;
  }

  run(update: Update): Outcome<Fields> {
    const root = newBranch<Leaf>();
    for (const step of update) this.#plant(root, step);
    const after = this.#inFields(root, this.#attributes);
    if (this.#faults.length === 0) this.#checkDepth(update, after);
    return this.#faults.length > 0 ? failed(...this.#faults) : ok(after);
  }

  #plant(root: Branch<Leaf>, step: UpdateStep): void {
    if (step.op !== '$rename') {
      addPath(root, step.path, this.#leafOf(step));
      return;
    }
    const value = this.#renamed(step);
    if (value === undefined) return;
    addPath(root, step.path, { step, creates: false, apply: () => undefined });
    addPath(root, step.operand.to, { step, creates: true, apply: () => value });
  }

  #leafOf(step: UpdateStep): Leaf {
    return {
      step,
      creates: operatorOf(step.op).creates,
      apply: (current) => applyStep(step, current, this.#run),
    };
  }

  /** The value that a `$rename` moves; undefined where there is none, or where it can not be moved. */
  #renamed(step: UpdateStep<'$rename'>): Value | undefined {
    let moved: Value | undefined;
    for (const path of [step.path, step.operand.to]) {
      let value: Value | undefined = this.#attributes;
      for (const [at, name] of path.entries()) {
        if (value === undefined) break;
        if (isList(value)) {
          this.#refuseUpdate(
            step,
            `A rename leads through no array, as there is at ${shown(path.slice(0, at))}.`,
          );
          return undefined;
        }
        if (!isFields(value)) {
          this.#refuseUpdate(step, blocked(path.slice(0, at), value));
          return undefined;
        }
        value = memberOf(value, name);
      }
      if (path === step.path) moved = value;
      // Nothing can be moved anywhere (MongoDB).
      if (moved === undefined) break;
    }
    return moved;
  }

  /** The value of a branch afterwards; undefined for none. */
  #at(branch: Branch<Leaf>, current: Value | undefined, path: Path): Value | undefined {
    if (branch.leaf !== null) {
      const after = branch.leaf.apply(current);
      if (!(after instanceof UpdateRefusal)) return after;
      this.#refuseUpdate(branch.leaf.step, after.detail);
      return current;
    }
    if (current === undefined) return creates(branch) ? this.#inFields(branch, {}, path) : undefined;
    if (isList(current)) return this.#inItems(branch, current, path);
    if (isFields(current)) return this.#inFields(branch, current, path);
    this.#block(branch, blocked(path, current));
    return current;
  }

  #inFields(branch: Branch<Leaf>, current: Fields, path: Path = []): Fields {
    const fields = new Map(Object.entries(current));
    for (const [name, next] of inOrder(branch)) {
      const after = this.#at(next, fields.get(name), [...path, name]);
      if (after === undefined) fields.delete(name);
      else fields.set(name, after);
    }
    return Object.fromEntries(fields);
  }

  #inItems(branch: Branch<Leaf>, current: readonly Value[], path: Path): Value {
    const items = [...current];
    for (const [name, next] of inOrder(branch)) {
      if (!POSITION.test(name)) {
        this.#block(next, blocked(path, current));
        continue;
      }
      const position = Number(name);
      const after = this.#at(next, items[position], [...path, name]);
      if (position < items.length) {
        // Positions of others do not change: what is unset is null (MongoDB).
        items[position] = after ?? null;
      } else if (after !== undefined) {
        if (!this.#run.fill(position - items.length)) {
          this.#block(next, 'Filled up to this position, the array is larger than a document may be.');
          continue;
        }
        while (items.length < position) items.push(null);
        items.push(after);
      }
    }
    return items;
  }

  /** Refuses all that would be done behind a branch; there is nothing to unset. */
  #block(branch: Branch<Leaf>, detail: string): void {
    if (branch.leaf !== null && branch.leaf.step.op !== '$unset')
      this.#refuseUpdate(branch.leaf.step, detail);
    for (const next of branch.next.values()) this.#block(next, detail);
  }

  #refuseUpdate({ op, path }: UpdateStep, detail: string): void {
    if (this.#faults.length >= TOLD.inBody) return;
    const pointer = pointerOf(placeOf('data', 'meta', 'update', op, path.join('.')));
    this.#faults.push(problem('update-failed', detail, { pointer }));
  }

  /** A document nests no deeper than the JSON of a request may. */
  #checkDepth(update: Update, after: Fields): void {
    const levels = LIMITS.jsonDepth - LEVELS_AROUND;
    // Thousands of steps may change one field: it is looked through once.
    const found = new Map<string, boolean>();
    for (const step of update) {
      const [name = ''] = step.op === '$rename' ? step.operand.to : step.path;
      const isDeep = found.get(name) ?? deeperThan(memberOf(after, name) ?? null, levels);
      found.set(name, isDeep);
      if (isDeep) {
        this.#refuseUpdate(step, `The JSON of the document would nest more than ${LIMITS.jsonDepth} levels.`);
      }
    }
  }
}

function shown(path: Path): string {
  return path.join('.').slice(0, 200);
}

function blocked(path: Path, value: Value): string {
  return `The path leads through ${shown(path)}, which is of the kind ${kindOf(value)}.`;
}

function creates(branch: Branch<Leaf>): boolean {
  return branch.leaf?.creates ?? [...branch.next.values()].some(creates);
}

/** Orders positions as numbers and other names as strings: MongoDB applies them in this order, not as sent. */
function inOrder(branch: Branch<Leaf>): readonly (readonly [string, Branch<Leaf>])[] {
  return [...branch.next].sort(([a], [b]) =>
    POSITION.test(a) && POSITION.test(b) ? Number(a) - Number(b) : compareStrings(a, b),
  );
}
