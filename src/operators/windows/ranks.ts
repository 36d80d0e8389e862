/**
 * Window functions of a document's place in its partition: `$rank` and its kin, `$shift`, `$first`, `$last`, `$count`.
 */
import { isFields, type Value } from '../../domain/values/values.ts';
import type { Key } from '../../query/order/ordering.ts';
import { namedArguments, refuseExpression, REQUIRED } from '../core/operator.ts';
import { substitute } from '../core/parameters.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { overSpans, readBounds } from './bounds.ts';
import { Column, sorted, withoutWindow, type ReadWindowFunction, type WindowAt } from './window.ts';

function isEmpty(argument: Value, at: WindowAt): boolean {
  if (isFields(argument) && Object.keys(argument).length === 0) return true;
  refuseExpression(at, `${at.name} takes an empty object.`);
  return false;
}

/** The rank of the `number`th document; the first one with its key was the `first`th and had the `group`th key. */
type Rank = (number: number, first: number, group: number) => number;

function ranked(rank: Rank): ReadWindowFunction {
  return (argument, at) => {
    if (!isEmpty(argument, at)) return undefined;
    return {
      start: (keep, _frame, ordering) => {
        const ranks: number[] = [];
        let last: Key | undefined;
        let first = 0;
        let group = 0;
        return {
          add: (_each, key) => {
            keep.hold(8);
            keep.meter.spend(2);
            if (last === undefined || ordering.compare(last, key) !== 0) {
              first = ranks.length + 1;
              group += 1;
            }
            last = key;
            ranks.push(rank(ranks.length + 1, first, group));
          },
          at: (index) => ranks[index] ?? null,
        };
      },
    };
  };
}

const shift: ReadWindowFunction = (argument, at) => {
  const given = namedArguments(argument, { output: REQUIRED, by: REQUIRED, default: undefined }, at);
  if (given === undefined) return undefined;
  const expression = given.output.parse();
  const offset = smallInteger(substitute(given.by.value, given.by));
  if (offset === undefined) refuseExpression(given.by, `${at.name} takes an integer as by.`);
  const others = given.default === undefined ? { value: null } : given.default.parse().constant;
  if (given.default !== undefined && others === null)
    refuseExpression(given.default, 'default is a value that depends on no document.');
  if (offset === undefined || others === null) return undefined;
  return {
    start: (keep) => {
      const values = new Column(keep);
      return {
        add: (frame) => {
          values.add(expression.evaluate(frame));
        },
        at: (index) => {
          const place = index + offset;
          const found = place >= 0 && place < values.length ? values.at(place) : others.value;
          return found ?? null;
        },
      };
    },
  };
};

/** The value of the first or the last document of the window. */
function end(which: 'first' | 'last'): ReadWindowFunction {
  return (argument, at) => {
    const expression = at.scope.parse(argument, at.place, at.scope);
    const bounds = readBounds(at);
    return (
      bounds &&
      overSpans(bounds, (keep) => {
        const values = new Column(keep);
        return {
          add: (frame) => {
            values.add(expression.evaluate(frame));
          },
          over: ({ from, to }) => (from < to ? values.at(which === 'first' ? from : to - 1) : null) ?? null,
        };
      })
    );
  };
}

const count: ReadWindowFunction = (argument, at) => {
  const bounds = readBounds(at);
  if (!isEmpty(argument, at) || bounds === undefined) return undefined;
  return overSpans(bounds, () => ({ add: () => undefined, over: ({ from, to }) => to - from }));
};

export const RANKS: Readonly<Record<string, ReadWindowFunction>> = {
  $rank: withoutWindow(sorted(ranked((_number, first) => first))),
  $denseRank: withoutWindow(sorted(ranked((_number, _first, group) => group))),
  $documentNumber: withoutWindow(sorted(ranked((number) => number))),
  $shift: withoutWindow(sorted(shift)),
  $first: end('first'),
  $last: end('last'),
  $count: count,
};
