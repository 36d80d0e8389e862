/**
 * A project tracker. Issues belong to the team that they link to, whoever imported them: rights by relationship. A rule
 * sees to it that nobody works for a team they are not in. The lead of a team says who is in it.
 */
import { Client } from '../../support/client.ts';
import { defined } from '../../support/aggregates.ts';
import { grant, makeGroup, makeUser, NOBODY } from '../../support/people.ts';
import { configure, LOG_IN, Member, ONE, shape } from '../../support/products.ts';

const OF_TEAM = { 'team.id': { $in: '$$viewer.groups' } };
const underRights = (methods: string, path: string, rule: object = {}) => ({
  path,
  methods: methods.split(' '),
  acl: { active: true },
  ...rule,
});

const APP = [
  LOG_IN,
  { path: '/operations', methods: ['post'] },
  underRights('get post patch delete bulk', `/resources/(issues|comments)(${ONE}(/.*)?)?`, {
    where: OF_TEAM,
    check: OF_TEAM,
  }),
  underRights('get', '/aggregates/agt\\.board(/[^/]+)?', { where: OF_TEAM }),
  underRights('get post delete', `/users/core\\.user-group(${ONE}(/relationships/users)?)?`),
];

export const TYPES = ['issues', 'comments'];

export async function openTracker() {
  const trusted = await Client.create('tracker');
  const people = [];
  for (const name of ['lea', 'tom', 'exa', 'mal']) people.push(await makeUser(trusted, name));
  const [lea = NOBODY, tom = NOBODY, exa = NOBODY, mal = NOBODY] = people;
  const team = await makeGroup(trusted, [lea, tom, exa]);
  const others = await makeGroup(trusted, [mal]);
  await grant(trusted, `/users/${team.type}/${team.id}`, { read: [team], update: [lea.link] });
  const group = 'core.user-group';
  await shape(
    trusted,
    'issues',
    { title: { type: 'string' }, status: { enum: ['open', 'done'] } },
    { team: group },
  );
  await shape(trusted, 'comments', { text: { type: 'string' } }, { team: group, issue: 'issues' });
  const byTeam = ['$team'];
  await configure(trusted, '/schemas/core.type', {
    name: 'issues',
    rights: { read: byTeam, update: byTeam, delete: byTeam },
    inverses: { comments: { type: 'comments', through: 'issue' } },
  });
  await configure(trusted, '/schemas/core.type', {
    name: 'comments',
    rights: { read: byTeam, update: ['$creator'], delete: ['$creator'] },
  });
  await defined(trusted, 'board', 'issues', [
    { group: { id: '$status', issues: { $sum: 1 }, titles: { $push: '$title' } } },
    { output: { attributes: ['issues', 'titles'] } },
  ]);
  const app = await trusted.withPermissions(APP);
  return {
    trusted,
    team,
    others,
    lea: new Member(app, lea),
    tom: new Member(app, tom),
    /** Somebody who will leave the team. */
    exa: new Member(app, exa),
    /** Somebody of another team. */
    mal: new Member(app, mal),
    visitor: new Member(app, NOBODY),
  };
}

export type Tracker = Awaited<ReturnType<typeof openTracker>>;
