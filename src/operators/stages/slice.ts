/** `skip`, `limit` and `sample`: parts of the stream, by position or by chance. */
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { inside } from '../../domain/pointer.ts';
import { sizeOf } from '../core/meter.ts';
import { substitute } from '../core/parameters.ts';
import { longInteger } from '../numbers/kinds.ts';
import { documents, nextOf } from './flow.ts';
import { held, refuseStage, type At, type ReadStage, type Start } from './stage.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { isWrapperName } from '../../domain/values/wrappers.ts';

/** More than any budget lets through. */
const MOST = 2 ** 31 - 1;

function countOf(argument: Value, least: 0 | 1, at: At): number | null {
  const count = longInteger(substitute(argument, at));
  if (count !== undefined && count >= least) return Math.min(count, MOST);
  const wanted = least === 0 ? 'an integer that is not negative' : 'an integer above zero';
  return refuseStage(at, `${at.name} takes ${wanted}.`);
}

export const skip: ReadStage = (argument, at) => {
  const count = countOf(argument, 0, at);
  return count === null ? null : { kind: 'skip', count };
};

export const limit: ReadStage = (argument, at) => {
  const count = countOf(argument, 1, at);
  return count === null ? null : { kind: 'limit', count };
};

/** mingo's own goes on asking for documents when it has given enough, and does not end. */
export function startLimit(count: number): Start {
  return (input, { flow }) => {
    let left = count;
    return documents(() => {
      if (left === 0) {
        flow.end();
        return undefined;
      }
      const document = nextOf(input);
      if (document === undefined) return undefined;
      left -= 1;
      if (left === 0) flow.enough = true;
      return document;
    });
  };
}

/** A number, or MongoDB's `{size}`. */
export const sample: ReadStage = (argument, at) => {
  at.scope.changing();
  if (!isFields(argument) || Object.keys(argument).some(isWrapperName))
    return sampleOf(countOf(argument, 1, at));
  const size = memberOf(argument, 'size');
  if (size === undefined || Object.keys(argument).length > 1) {
    return refuseStage(at, 'sample takes a number, or an object with size alone.');
  }
  return sampleOf(countOf(size, 1, { ...at, place: inside(at.place, 'size') }));
};

function sampleOf(size: number | null): ReturnType<ReadStage> {
  return size === null ? null : { kind: 'step', start: startSample(size) };
}

/** Each document has the same chance, however many come, and no more than the sample is kept. */
function startSample(size: number): Start {
  return (input, run) => {
    const { meter, random } = run;
    const chosen: Fields[] = [];
    let seen = 0;
    const keep = (index: number, document: Fields): void => {
      const former = chosen[index];
      meter.hold(sizeOf(document) - (former === undefined ? 0 : sizeOf(former)));
      chosen[index] = document;
    };
    const take = (document: Fields): void => {
      meter.spend(2);
      seen += 1;
      const index = chosen.length < size ? chosen.length : Math.floor(random() * seen);
      if (index < size) keep(index, document);
    };
    const give = () => {
      shuffle(chosen, random);
      return chosen.values();
    };
    return held(input, run, take, give);
  };
}

function shuffle(documents: Fields[], random: () => number): void {
  for (let last = documents.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    const [a, b] = [documents[last], documents[chosen]];
    if (a === undefined || b === undefined) continue;
    documents[last] = b;
    documents[chosen] = a;
  }
}
