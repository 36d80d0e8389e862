/**
 * A survey whose interviewers are often offline. Everybody reads the questions that are open; an answer is seen by its
 * author alone, and by researchers without the author. Results are public where two have answered.
 */
import { Client } from '../../support/client.ts';
import { defined } from '../../support/aggregates.ts';
import { makeGroup, makeUser, NOBODY } from '../../support/people.ts';
import { configure, LOG_IN, may, Member, ONE, shape, to, VIEWER } from '../../support/products.ts';

const FIELD = [
  LOG_IN,
  may('post', '/operations'),
  may('get', `/resources/questions(${ONE})?`, { where: { opens: { $lte: '$$now' } } }),
  may('get post patch delete', `/resources/answers(${ONE}(/question)?)?`, {
    where: { 'author.id': '$$viewer.id' },
    check: { author: VIEWER },
  }),
  may('get', '/aggregates/agt\\.results(/[^/]+)?'),
];

export const TYPES = ['questions', 'answers'];

export async function openSurvey() {
  const trusted = await Client.create('survey');
  const people = [];
  for (const name of ['ira', 'ivo', 'mal', 'res']) people.push(await makeUser(trusted, name));
  const [ira = NOBODY, ivo = NOBODY, mal = NOBODY, researcher = NOBODY] = people;
  const researchers = await makeGroup(trusted, [researcher]);
  await shape(
    trusted,
    'answers',
    { value: { type: 'string' } },
    { author: 'core.user', question: 'questions' },
  );
  await configure(trusted, '/schemas/core.type', {
    name: 'answers',
    'client-ids': true,
    unique: [['author.id', 'question.id']],
  });
  await defined(trusted, 'results', 'answers', [
    { group: { id: '$question.id', answers: { $sum: 1 } } },
    { filter: { answers: { $gte: 2 } } },
    { output: { attributes: ['answers'] } },
  ]);
  await configure(trusted, '/schemas/core.type', { name: 'questions', expires: 'closes' });
  const question = (text: string, opens: string, closes = '2902-01-01') =>
    trusted.make('questions', { text, opens: { $date: opens }, closes: { $date: closes } });
  const first = await question('Tea?', '2001-01-01');
  const second = await question('Milk?', '2001-01-01');
  const closed = await question('Sugar?', '2001-01-01', '2002-01-01');
  const later = await question('Sealed?', '2901-01-01');
  const field = await trusted.withPermissions(FIELD);
  const desk = await trusted.withPermissions([
    {
      path: '/resources/answers',
      methods: ['get'],
      acl: {
        active: true,
        'endpoint-access-list-flavor': 'white',
        'endpoint-access-list': [researchers],
        'document-access-list': [researchers],
      },
      fields: { read: ['value', 'question'] },
    },
  ]);
  return {
    trusted,
    first,
    second,
    later,
    closed,
    visitor: new Member(field, NOBODY),
    ira: new Member(field, ira),
    ivo: new Member(field, ivo),
    mal: new Member(field, mal),
    malsDesk: new Member(desk, mal),
    researcher: new Member(desk, researcher),
    answer: (author: Member, question: { type: string; id: string }) => ({
      author: to(author.link),
      question: to(question),
    }),
  };
}

export type Survey = Awaited<ReturnType<typeof openSurvey>>;
