/**
 * What this project relies on in mingo beyond what its documentation promises. The version is pinned; another one may
 * come in when this file and the suites of filters and pipelines pass.
 */
import { readFileSync } from 'node:fs';
import { Aggregator } from 'mingo/aggregator';
import { Context, evalExpr, OpType } from 'mingo/core';
import { Lazy } from 'mingo/lazy';
import { $skip } from 'mingo/operators/pipeline';
import { Query } from 'mingo/query';
import type { Options } from 'mingo/types';
import { describe, expect, it } from 'vitest';

/** A context of operators of any type; mingo's own type for them is that of its built-in ones. */
function contextOf(operators: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Context {
  return Context.init(operators);
}

class Opaque {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }

  toJSON(): null {
    return null;
  }
}

describe('mingo', () => {
  it('is the pinned version', () => {
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(manifest).toMatchObject({ devDependencies: { mingo: '7.2.7' } });
  });

  it('knows no operator beside those of the context', () => {
    const context = contextOf({});
    expect(context.getOperator(OpType.QUERY, '$eq')).toBeNull();
    expect(() => new Query({ a: { $eq: 1 } }, { context })).toThrow(/unknown query operator/);
  });
});

describe('Query', () => {
  const seen: { selector: string; operand: unknown; variables: unknown }[] = [];
  const note = (selector: string, operand: unknown, { variables }: Options) => {
    seen.push({ selector, operand, variables });
    return () => true;
  };
  const context = contextOf({ query: { $note: note, $never: () => () => false } });
  const call = (criteria: Readonly<Record<string, unknown>>) => {
    seen.length = 0;
    const variables = { run: new Opaque('mine') };
    const query = new Query<Record<string, unknown>>(criteria, { context, variables });
    return { query, variables, seen: [...seen] };
  };

  it('leaves instances of classes alone: neither cloned nor looked into', () => {
    const operand = new Opaque({ constructor: { name: 5 }, big: 5n });
    const made = call({ '.a': { $note: operand } });
    expect(made.seen.map((each) => each.operand)).toEqual([operand]);
    expect(made.seen[0]?.operand).toBe(operand);
  });

  it('takes an empty selector', () => {
    expect(call({ '': { $note: new Opaque(1) } }).seen).toMatchObject([{ selector: '' }]);
  });

  it('hands its variables to operators', () => {
    const made = call({ '.a': { $note: new Opaque(1) } });
    expect(made.seen[0]?.variables).toBe(made.variables);
  });

  it('calls operators when it is made, and their predicates with the document itself', () => {
    const document = { a: 1 };
    let given: unknown;
    const own = contextOf({
      query: {
        $look: () => (subject: unknown) => {
          given = subject;
          return true;
        },
      },
    });
    expect(
      new Query<Record<string, unknown>>({ '.a': { $look: new Opaque(0) } }, { context: own }).test(document),
    ).toBe(true);
    expect(given).toBe(document);
  });

  it('ands what it compiled', () => {
    expect(call({ '.a': { $note: new Opaque(1), $never: new Opaque(1) } }).query.test({})).toBe(false);
  });
});

describe('evalExpr', () => {
  it('calls an expression operator with the subject, the argument as it is, and variables', () => {
    const subject = new Opaque('subject');
    const argument = new Opaque('argument');
    const variables = { run: 1 };
    const calls: unknown[][] = [];
    const context = contextOf({
      expression: {
        $mine: (...call: readonly [unknown, unknown, Options]) => {
          calls.push([call[0], call[1], call[2].variables]);
          return 7;
        },
      },
    });
    const options = { context, variables } as unknown as Options;
    expect(evalExpr(subject, { $mine: argument }, options)).toBe(7);
    expect(calls).toEqual([[subject, argument, variables]]);
    expect(calls[0]?.[0]).toBe(subject);
    expect(calls[0]?.[1]).toBe(argument);
  });
});

describe('Aggregator', () => {
  it('gives a stage the iterator before it and its argument as it is, and variables', () => {
    const argument = new Opaque({ $x: 1 });
    const variables = { run: 1 };
    let given: unknown[] = [];
    const stage = (iterator: ReturnType<typeof Lazy>, operand: unknown, options: Options) => {
      given = [operand, options.variables];
      return iterator.map((document) => ({ document }));
    };
    const context = contextOf({ pipeline: { own: stage } });
    const stages = new Aggregator([{ own: argument }], { context, variables });
    expect(stages.stream([1, 2]).collect()).toEqual([{ document: 1 }, { document: 2 }]);
    expect(given[0]).toBe(argument);
    expect(given[1]).toBe(variables);
  });

  it('asks its source for nothing before it is asked, and again after it had nothing', () => {
    const feed: number[] = [];
    let asked = 0;
    const source = () => {
      asked += 1;
      const value = feed.shift();
      return { done: value === undefined, value };
    };
    const through = (iterator: ReturnType<typeof Lazy>) => Lazy(() => iterator.next());
    const context = contextOf({ pipeline: { $skip, through } });
    const stream = new Aggregator([{ $skip: 1 }, { through: new Opaque(0) }], { context }).stream(source);
    expect(asked).toBe(0);
    feed.push(1);
    expect(stream.next().done).toBe(true);
    feed.push(2, 3);
    expect(stream.next()).toMatchObject({ done: false, value: 2 });
    expect(stream.next()).toMatchObject({ done: false, value: 3 });
    expect(stream.next().done).toBe(true);
  });

  it('hands on what a stage throws as it is', () => {
    class Stop extends Error {}
    const context = contextOf({
      pipeline: {
        own: (iterator: ReturnType<typeof Lazy>) =>
          iterator.map(() => {
            throw new Stop('enough');
          }),
      },
    });
    const stream = new Aggregator([{ own: 0 }], { context }).stream([1]);
    expect(() => stream.next()).toThrow(Stop);
  });

  it('gives the documents themselves: it clones none unless it is told to', () => {
    const document = { a: 1 };
    expect(new Aggregator([], { context: contextOf({}) }).stream([document]).next().value).toBe(document);
  });
});

describe('Context', () => {
  it('gives an operator as it was registered, whatever its kind', () => {
    const own = () => 1;
    const context = contextOf({ accumulator: { $own: own }, expression: { $own: own }, pipeline: { own } });
    expect(context.getOperator(OpType.ACCUMULATOR, '$own')).toBe(own);
    expect(context.getOperator(OpType.EXPRESSION, '$own')).toBe(own);
    expect(context.getOperator(OpType.PIPELINE, 'own')).toBe(own);
  });
});

describe('Lazy', () => {
  it('may be asked again after it had nothing', () => {
    const feed: number[] = [];
    const lazy = Lazy({
      next: () => (feed.length > 0 ? { done: false, value: feed.shift() } : { done: true, value: undefined }),
    })
      .map((each) => Number(each) * 2)
      .filter((each) => Number(each) > 2);
    expect(lazy.next().done).toBe(true);
    feed.push(1, 2);
    expect(lazy.next()).toEqual({ done: false, value: 4 });
    expect(lazy.next().done).toBe(true);
    feed.push(3);
    expect(lazy.next()).toEqual({ done: false, value: 6 });
  });
});
