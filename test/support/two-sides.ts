/**
 * Two types that differ only in what a rule hides: in fields that it does not name, and in documents that do not meet
 * it. Whoever is told anything else of one than of the other has learnt something.
 */
import type { Client, Link, Reply } from './client.ts';

export interface Side {
  readonly type: string;
  /** A document that is seen, in part. */
  readonly eva: Link;
  /** One that is not. */
  readonly draft: Link;
  /** What the hidden relationship of Eva leads to. */
  readonly boss: Link;
  /** The ids of all documents that are seen, in order: no others may be told. */
  readonly seen: readonly string[];
}

/** What the rule of the attacker's key shows. */
export const SEEN = ['name', 'nick', 'friend', 'status'];
export const WHERE = { status: 'open' };

const VALUES = [
  {
    salary: 5,
    amount: 7,
    parts: [{ n: 1 }, { n: 2 }],
    notes: 'secretive words',
    at: [0, 0],
    grades: [1, 2],
    hired: '2001-01-01T00:00:00Z',
    big: '123456789012345678901234567890',
  },
  {
    salary: 50,
    amount: 70,
    parts: [{ n: 3 }],
    notes: 'other text entirely',
    at: [10, 10],
    grades: [3],
    hired: '2011-01-01T00:00:00Z',
    big: '99',
  },
] as const;

/** Makes both sides in the types `staff0` and `staff1`. */
export async function makeSides(trusted: Client): Promise<readonly [Side, Side]> {
  return [await makeSide(trusted, 0), await makeSide(trusted, 1)];
}

async function makeSide(trusted: Client, which: 0 | 1): Promise<Side> {
  const type = `staff${which}`;
  const link = ({ id }: Link): Link => ({ type, id });
  const { salary, amount, parts, notes, at, grades, hired, big } = VALUES[which];
  const hidden = {
    salary,
    pay: { amount, parts },
    notes,
    home: { type: 'Point', coordinates: at },
    grades,
    hired: { $date: hired },
    big: { $numberDecimal: big },
  };
  const boss = await trusted.make(type, { name: 'boss', status: 'open', ...(which === 0 && hidden) });
  const lowly = await trusted.make(type, { name: 'lowly', status: 'open', ...(which === 1 && hidden) });
  const over = which === 0 ? boss : lowly;
  const eva = await trusted.make(
    type,
    { name: 'eva', nick: 'e', status: 'open', ...hidden },
    { boss: { data: link(over) }, friend: { data: link(boss) } },
  );
  const draft = await trusted.make(
    type,
    { name: which === 0 ? 'plan' : 'sketch', status: 'draft', ...hidden },
    which === 0 ? { friend: { data: link(eva) } } : {},
  );
  const seen = [boss.id, lowly.id, eva.id];
  return { type, eva: link(eva), draft: link(draft), boss: link(over), seen };
}

/**
 * An answer in words that do not depend on the side: what is of the side has a name instead. `more` are ids that may be
 * told besides those of the side.
 */
export function told(
  { status, text, headers }: Reply,
  { type, eva, draft, seen }: Side,
  more: readonly string[] = [],
) {
  const names: readonly (readonly [string, string])[] = [
    [eva.id, 'EVA'],
    [draft.id, 'DRAFT'],
    ...[...seen, ...more].map((id, at) => [id, `ID${at}`] as const),
    [type, 'STAFF'],
    [type.replace('staff', 'agt.staff'), 'AGT'],
  ];
  const plain = names.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return {
    status,
    text: plain
      // Cursors are sealed, and differ from request to request.
      .replaceAll(/after%5D=[^&"]+/g, 'after%5D=…')
      // The address of the request repeats what was asked.
      .replaceAll(/"self":"([^"?]*)\?[^"]*"/g, '"self":"$1"'),
    type: headers.get('content-type'),
  };
}

/** What is told of both sides when the same is asked of each. */
export async function toldOfBoth(sides: readonly [Side, Side], ask: (side: Side) => Promise<Reply>) {
  const [one, other] = await Promise.all([ask(sides[0]), ask(sides[1])]);
  return [told(one, sides[0]), told(other, sides[1])] as const;
}
