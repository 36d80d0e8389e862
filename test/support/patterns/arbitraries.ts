/**
 * Random patterns, as trees, and subjects for them. Few characters and small counts, so that matches are frequent and
 * the interesting constructs meet: a group inside a lookbehind inside a call.
 */
import fc from '../fast-check.ts';
import { sampleOf } from './sample.ts';
import {
  childrenOf,
  groupsOf,
  NOTHING,
  numbered,
  type Anchor,
  type Condition,
  type Look,
  type Mode,
  type Tree,
} from './tree.ts';

const char: fc.Arbitrary<Tree> = fc
  .constantFrom('a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'A', 'é', '😀', '\n')
  .map((one) => ({ kind: 'char', char: one }));
const set: fc.Arbitrary<Tree> = fc
  .tuple(fc.boolean(), fc.subarray(['a', 'b', 'é', '😀', '\n'], { minLength: 1, maxLength: 2 }))
  .map(([negated, chars]) => ({ kind: 'set', negated, chars }));
const dot: fc.Arbitrary<Tree> = fc.constant({ kind: 'dot' });
const single = fc.oneof(
  { weight: 6, arbitrary: char },
  { weight: 2, arbitrary: set },
  { weight: 2, arbitrary: dot },
);

const wish = fc.nat(60);
const writing = fc.nat(4);
const backreference: fc.Arbitrary<Tree> = fc
  .tuple(wish, writing)
  .map(([group, way]) => ({ kind: 'backreference', group, writing: way }));
const call: fc.Arbitrary<Tree> = fc
  .tuple(wish, writing)
  .map(([group, way]) => ({ kind: 'call', group, writing: way }));

const COUNTS: readonly (readonly [number, number | null])[] = [
  [0, null],
  [0, null],
  [1, null],
  [1, null],
  [0, 1],
  [0, 1],
  [2, 2],
  [1, 2],
  [0, 2],
  [2, null],
  [3, 4],
  [0, 0],
];

const ANCHORS: readonly Anchor[] = [
  '^',
  '$',
  '\\b',
  '\\B',
  '(?m:^)',
  '(?m:$)',
  '\\A',
  '\\Z',
  '\\z',
  '\\G',
  '(*FAIL)',
];

function sequence(items: readonly Tree[]): Tree {
  const [only] = items;
  return items.length === 1 && only ? only : { kind: 'sequence', items };
}

/** A body of a lookbehind whose matches are all of one length, as PCRE2 wants each branch to be. */
const fixed = fc.letrec<{ branch: Tree; item: Tree }>((tie) => ({
  branch: fc.array(tie('item'), { minLength: 1, maxLength: 3, depthIdentifier: 'fixed' }).map(sequence),
  item: fc.oneof(
    { depthSize: 'small', maxDepth: 2, depthIdentifier: 'fixed' },
    { weight: 6, arbitrary: single },
    {
      weight: 2,
      arbitrary: tie('branch').map((body): Tree => ({ kind: 'capture', number: 0, named: false, body })),
    },
    { weight: 1, arbitrary: tie('branch').map((body): Tree => ({ kind: 'fold', body })) },
    { weight: 1, arbitrary: tie('branch').map((body): Tree => ({ kind: 'atomic', body })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(single, fc.constantFrom(0, 1, 2, 2))
        .map(([body, min]): Tree => ({ kind: 'repeat', body, min, max: min, mode: 'greedy' })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Anchor>('^', '\\b', '$').map((anchor): Tree => ({ kind: 'anchor', anchor })),
    },
  ),
}));
const behind: fc.Arbitrary<Tree> = fc
  .array(fixed.branch, { minLength: 1, maxLength: 2 })
  .map((branches) => (branches.length > 1 ? { kind: 'choice', branches } : (branches[0] ?? NOTHING)));

/** PCRE2 takes a pattern with `(?:^a){0}` for one that is anchored (10.42): such are not made. */
function repeated(body: Tree, min: number, max: number | null, mode: Mode): Tree {
  return { kind: 'repeat', body, min, max: max === 0 && holdsAnchor(body) ? 1 : max, mode };
}

function holdsAnchor(tree: Tree): boolean {
  return tree.kind === 'anchor' || childrenOf(tree).some(holdsAnchor);
}

/** Something once in eight times. */
function rarely(tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree | undefined> {
  return fc
    .option(tree, { nil: undefined })
    .chain((made) => fc.nat(7).map((n) => (n === 0 ? made : undefined)));
}

// An alias: fc.letrec knows the types of no interface.
type Made = {
  readonly whole: Tree;
  readonly choice: Tree;
  readonly branch: Tree;
  readonly item: Tree;
  readonly atom: Tree;
  readonly look: Tree;
};

function trees(): fc.Arbitrary<Tree> {
  const modes: readonly Mode[] = ['greedy', 'greedy', 'lazy', 'possessive'];
  const made = fc.letrec<Made>((tie) => {
    const choice = tie('choice');
    const branches = fc.array(tie('branch'), { minLength: 2, maxLength: 3 });
    const look = (body: fc.Arbitrary<Tree>, isBehind: boolean): fc.Arbitrary<Look> =>
      fc
        .tuple(body, fc.boolean())
        .map(([inner, negative]) => ({ kind: 'look', behind: isBehind, negative, body: inner }));
    const test: fc.Arbitrary<Condition> = fc.oneof(
      { weight: 4, arbitrary: wish.map((group): Condition => ({ kind: 'set', group })) },
      {
        weight: 1,
        arbitrary: fc.option(wish, { nil: undefined }).map((group): Condition => ({ kind: 'called', group })),
      },
      { weight: 1, arbitrary: look(choice, false) },
      { weight: 1, arbitrary: look(behind, true) },
    );
    const atoms = [
      { weight: 12, arbitrary: single },
      {
        weight: 6,
        arbitrary: fc
          .tuple(choice, fc.boolean())
          .map(([body, named]): Tree => ({ kind: 'capture', number: 0, named, body })),
      },
      { weight: 2, arbitrary: branches.map((each): Tree => ({ kind: 'choice', branches: each })) },
      { weight: 3, arbitrary: backreference },
      { weight: 2, arbitrary: choice.map((body): Tree => ({ kind: 'atomic', body })) },
      { weight: 3, arbitrary: call },
      {
        weight: 2,
        arbitrary: fc
          .tuple(test, choice, fc.option(choice, { nil: undefined }))
          .map(([condition, yes, no]): Tree => ({ kind: 'condition', test: condition, yes, no })),
      },
      { weight: 1, arbitrary: branches.map((each): Tree => ({ kind: 'reset', branches: each })) },
      { weight: 1, arbitrary: choice.map((body): Tree => ({ kind: 'fold', body })) },
      { weight: 1, arbitrary: fc.constant<Tree>({ kind: 'linebreak' }) },
    ];
    return {
      whole: fc
        .array(fc.oneof({ weight: 3, arbitrary: tie('item') }, { weight: 1, arbitrary: tie('atom') }), {
          minLength: 2,
          maxLength: 5,
          size: 'max',
        })
        .map(sequence),
      choice: fc.oneof(
        { weight: 5, arbitrary: tie('branch') },
        { weight: 1, arbitrary: branches.map((each): Tree => ({ kind: 'choice', branches: each })) },
      ),
      branch: fc
        .oneof(
          { weight: 9, arbitrary: fc.array(tie('item'), { minLength: 1, maxLength: 3 }) },
          { weight: 1, arbitrary: fc.constant([]) },
        )
        .map(sequence),
      item: fc.oneof(
        { maxDepth: 6, depthSize: 'medium', depthIdentifier: 'item' },
        { weight: 8, arbitrary: tie('atom') },
        {
          weight: 5,
          arbitrary: fc
            .tuple(tie('atom'), fc.constantFrom(...COUNTS), fc.constantFrom(...modes))
            .map(([body, [min, max], mode]) => repeated(body, min, max, mode)),
        },
        { weight: 1, arbitrary: tie('look') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...ANCHORS).map((anchor): Tree => ({ kind: 'anchor', anchor })),
        },
        { weight: 1, arbitrary: fc.constant<Tree>({ kind: 'anchor', anchor: '\\K' }) },
      ),
      atom: fc.oneof({ depthSize: 'medium', maxDepth: 3 }, ...atoms),
      look: fc.oneof(
        { weight: 2, arbitrary: look(choice, false) },
        { weight: 2, arbitrary: look(behind, true) },
      ),
    };
  });
  const whole = fc.tuple(made.whole, rarely(made.branch)).map(([tree, body]): Tree => {
    const defined = body !== undefined && groupsOf(body) > 0;
    return defined ? sequence([{ kind: 'define', body }, tree]) : tree;
  });
  return whole.filter((tree) => !resetsInLook(tree, false)).map(numbered);
}

/** PCRE2 refuses \\K in lookarounds. */
function resetsInLook(tree: Tree, looking: boolean): boolean {
  if (tree.kind === 'anchor') return looking && tree.anchor === '\\K';
  return childrenOf(tree).some((child) => resetsInLook(child, looking || tree.kind === 'look'));
}

/** A pattern with a subject that it might match. */
export function patternsAndSubjects(): fc.Arbitrary<readonly [Tree, string]> {
  const few = fc.array(fc.constantFrom('a', 'a', 'b', 'A', 'c', 'é', '😀', '\n'), { maxLength: 3 });
  const picks = fc.array(fc.nat(99), { minLength: 8, maxLength: 24 });
  return fc.tuple(trees(), few, picks, few, fc.boolean()).map(([tree, before, chosen, after, spoilt]) => {
    const likely = sampleOf(tree, chosen).slice(0, 12);
    if (spoilt) likely.splice((chosen[0] ?? 0) % (likely.length + 1), 1);
    return [tree, [...before, ...likely, ...after].join('')] as const;
  });
}
