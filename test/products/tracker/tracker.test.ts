/** A project tracker on the API alone: a team, somebody who leaves it, and somebody malicious. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Link, Reply } from '../../support/client.ts';
import { add, relink, remove, update } from '../../support/operations.ts';
import {
  at,
  doing,
  expectRefused,
  found,
  outcomeOf,
  set,
  snapshotOf,
  to,
  type Attempt,
} from '../../support/products.ts';
import { openTracker, TYPES, type Tracker } from './tracker.ts';

interface Scene extends Tracker {
  readonly issue: Link;
  readonly comment: Link;
  /** What the one who left wrote, and saw last. */
  readonly left: Link;
  readonly seen: Reply;
  /** An issue of Mallory's own team. */
  readonly own: Link;
}

const members = ({ team }: Tracker) => `/users/${team.type}/${team.id}/relationships/users`;

let scene: Scene;
beforeAll(async () => {
  const tracker = await openTracker();
  const { trusted, team, others, tom, exa, mal } = tracker;
  // Imported by the operator's key: nobody's, and yet the team's.
  const issue = await trusted.make('issues', { title: 'secret plan', status: 'open' }, { team: to(team) });
  const about = { team: to(team), issue: to(issue) };
  const comment = await tom.make('comments', { text: 'secret doubt' }, about);
  const left = await exa.make('comments', { text: 'secret farewell' }, about);
  const own = await mal.make('issues', { title: 'of mine', status: 'open' }, { team: to(others) });
  scene = { ...tracker, issue, comment, left, own, seen: await exa.get('/resources/issues') };
});

describe('the team', () => {
  test('sees what was imported, with its comments', async () => {
    const { lea, tom, issue, exa } = scene;
    for (const who of [lea, tom, exa]) expect((await who.get(at(issue))).status).toBe(200);
    const { body } = await tom.get('/resources/comments?include=issue');
    expect([body.meta.count, body.included.map(({ id }) => id)]).toEqual([2, [issue.id]]);
  });

  test('reads an issue with what was said about it', async () => {
    const { tom, issue, comment, left } = scene;
    const ids = [comment.id, left.id];
    expect((await tom.get(at(issue, '/comments'))).body.data.map(({ id }) => id)).toEqual(ids);
    const { body } = await tom.get('/resources/issues?include=comments');
    expect(body.included.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  });

  test('closes all that is open at once, and nothing of others', async () => {
    const { tom, lea, trusted, own } = scene;
    const close = (status: string, before: string) =>
      tom.send('PATCH', found('issues', { status: before }), {
        data: { type: 'issues', attributes: { status } },
        meta: { limit: 100 },
      });
    expect(outcomeOf(await close('done', 'open'))).toBe('200 of 1');
    expect((await lea.get(found('issues', { status: 'open' }))).body.meta.count).toBe(0);
    expect((await trusted.get(at(own))).body.data.attributes?.['status']).toBe('open');
    expect(outcomeOf(await close('open', 'done'))).toBe('200 of 1');
  });

  test('changes issues, of which nobody is the owner', async () => {
    const { lea, tom, issue } = scene;
    expect((await tom.change(issue, set({ status: 'done' }))).status).toBe(200);
    expect((await lea.change(issue, set({ status: 'open' }))).status).toBe(200);
  });

  test('sees its own board', async () => {
    const { body } = await scene.tom.get('/aggregates/agt.board');
    expect(body.data.map(({ id, attributes }) => [id, attributes])).toEqual([
      ['open', { issues: 1, titles: ['secret plan'] }],
    ]);
  });

  test('changes no comments of each other', async () => {
    const { lea, tom, comment } = scene;
    expect(outcomeOf(await lea.change(comment, set({ text: 'x' })))).toBe('403 forbidden');
    expect((await tom.change(comment, set({ text: 'secret doubts' }))).status).toBe(200);
  });
});

/** Deletes what a filter finds. */
const sweep = (of: Tracker['mal'], type: string, filter: object) =>
  of.send('DELETE', found(type, filter), { meta: { limit: 100 } });

const attempts: readonly Attempt<Scene>[] = [
  ['reads an issue', ({ mal, issue }) => mal.get(at(issue)), '403 forbidden'],
  ['reads an issue without a token', ({ visitor, issue }) => visitor.get(at(issue)), '401 token-required'],
  ['lists issues', ({ mal }) => mal.get('/resources/issues'), '200 of 1'],
  [
    'lists issues by team',
    ({ mal, team }) => mal.get(found('issues', { 'team.id': { $oid: team.id } })),
    '200 of 0',
  ],
  [
    'lists issues by words',
    ({ mal }) => mal.get(found('issues', { $text: { $search: 'plan' } })),
    '200 of 0',
  ],
  ['reads the board', ({ mal }) => mal.get('/aggregates/agt.board'), '200 of 1'],
  ['reads comments', ({ mal }) => mal.get('/resources/comments'), '200 of 0'],
  ["reads an issue's team", ({ mal, issue }) => mal.get(at(issue, '/team')), '403 forbidden'],
  ['reads who is in the team', (all) => all.mal.get(members(all)), '403 forbidden'],
  ['joins the team', (all) => all.mal.send('POST', members(all), { data: [all.mal.link] }), '403 forbidden'],
  [
    'joins the team as a member who is no lead',
    (all) => all.tom.send('POST', members(all), { data: [all.mal.link] }),
    '403 forbidden',
  ],
  [
    'writes an issue for the team',
    ({ mal, team }) => mal.create('issues', { title: 'x' }, { team: to(team) }),
    '403 rule-violated',
  ],
  [
    'writes an issue for both teams',
    ({ mal, team, others }) => mal.create('issues', { title: 'x' }, { team: to(others, team) }),
    '422 schema-violation',
  ],
  [
    'hands an issue over to the team',
    ({ mal, own, team }) => mal.change(own, { relationships: { team: to(team) } }),
    '403 rule-violated',
  ],
  [
    'hands it over in a list',
    ({ mal, own, team }) => mal.operate([relink('update', own, 'team', team)]),
    '200 rule-violated',
  ],
  [
    'takes an issue over',
    ({ mal, issue, others }) => mal.change(issue, { relationships: { team: to(others) } }),
    '403 forbidden',
  ],
  [
    'takes it over by its relationship',
    ({ mal, issue, others }) => mal.send('PATCH', at(issue, '/relationships/team'), { data: others }),
    '403 forbidden',
  ],
  [
    'changes an issue',
    ({ mal, issue }) => mal.change(issue, doing({ $unset: { title: '' } })),
    '403 forbidden',
  ],
  [
    'changes issues in a list',
    ({ mal, issue }) => mal.operate([update(issue, { title: 'x' }), remove(issue)]),
    '200 forbidden forbidden',
  ],
  [
    'gives himself rights',
    ({ mal, issue }) => mal.send('PATCH', `/resources/issues.acl/${issue.id}`, { data: {} }),
    '403 forbidden',
  ],
  [
    'gives everybody rights with a create',
    ({ mal, others }) =>
      mal.create('issues', { title: 'x' }, { team: to(others) }, { meta: { acl: { read: '*' } } }),
    '403 forbidden',
  ],
  [
    'comments for the team',
    ({ mal, team, issue }) => mal.create('comments', { text: 'x' }, { team: to(team), issue: to(issue) }),
    '403 rule-violated',
  ],
  ['deletes an issue', ({ mal, issue }) => mal.delete(issue), '403 forbidden'],
  ['deletes a comment', ({ mal, comment }) => mal.delete(comment), '403 forbidden'],
  [
    'deletes the team',
    ({ mal, team }) => mal.send('DELETE', `/users/${team.type}/${team.id}`),
    '403 forbidden',
  ],
];

const afterwards: readonly Attempt<Scene>[] = [
  ['lists issues', ({ exa }) => exa.get('/resources/issues'), '200 of 0'],
  [
    'lists issues with an old tag',
    ({ exa, seen }) => exa.get('/resources/issues', { 'if-none-match': seen.etag }),
    '200 of 0',
  ],
  [
    'reads an issue with an old tag',
    ({ exa, issue, seen }) => exa.get(at(issue), { 'if-none-match': seen.etag }),
    '403 forbidden',
  ],
  ['reads comments', ({ exa }) => exa.get('/resources/comments?include=issue'), '200 of 0'],
  ['reads the board', ({ exa }) => exa.get('/aggregates/agt.board'), '200 of 0'],
  ['reads what he wrote', ({ exa, left }) => exa.get(at(left)), '403 forbidden'],
  ['changes what he wrote', ({ exa, left }) => exa.change(left, set({ text: 'x' })), '403 forbidden'],
  ['deletes what he wrote', ({ exa, left }) => exa.operate([remove(left)]), '200 forbidden'],
  [
    'changes an issue by an old tag',
    ({ exa, issue, seen }) => exa.change(issue, set({ title: 'x' }), { 'if-match': seen.etag }),
    '403 forbidden',
  ],
  [
    'writes an issue',
    ({ exa, team }) => exa.operate([add('issues', { title: 'x' }, { team: to(team) })]),
    '200 rule-violated',
  ],
  ['deletes all that is left', (all) => sweep(all.exa, 'comments', {}), '200 of 0'],
  ['reads on through the issue', (all) => all.exa.get(at(all.issue, '/comments')), '403 forbidden'],
  ['comes back', (all) => all.exa.send('POST', members(all), { data: [all.exa.link] }), '403 forbidden'],
];

let before: unknown;
describe('Mallory gets nowhere, who', () => {
  beforeAll(async () => {
    before = await snapshotOf(scene.trusted, TYPES);
  });
  test.each(attempts)('%s', async (...attempt) => {
    await expectRefused(scene, attempt, ['secret']);
  });
  test('in the end nothing has changed', async () => {
    expect(await snapshotOf(scene.trusted, TYPES)).toEqual(before);
  });
});

describe('whoever has left the team gets nowhere, who', () => {
  beforeAll(async () => {
    const { lea, exa } = scene;
    expect((await lea.send('DELETE', members(scene), { data: [exa.link] })).status).toBe(200);
    before = await snapshotOf(scene.trusted, TYPES);
  });
  test.each(afterwards)('%s', async (...attempt) => {
    await expectRefused(scene, attempt, ['secret']);
  });
  test('in the end nothing has changed', async () => {
    expect(await snapshotOf(scene.trusted, TYPES)).toEqual(before);
  });
});
