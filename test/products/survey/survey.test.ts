/** A survey on the API alone: clients that were offline, and a malicious one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { add, remove, update, type Operation } from '../../support/operations.ts';
import {
  at,
  expectRefused,
  found,
  outcomeOf,
  set,
  snapshotOf,
  to,
  type Attempt,
} from '../../support/products.ts';
import { openSurvey, TYPES, type Survey } from './survey.ts';

const survey = await openSurvey();

/** Ids that the clients took while they were offline. */
const IRAS = { type: 'answers', id: 'a1'.repeat(12) };
const IRAS_SECOND = { type: 'answers', id: 'a2'.repeat(12) };
const IVOS = { type: 'answers', id: 'b1'.repeat(12) };

const withId = (
  { type, id }: { type: string; id: string },
  value: string,
  relationships: object,
): Operation => ({
  op: 'add',
  data: { type, id, attributes: { value }, relationships },
});

describe('interviewers', () => {
  test('everybody reads the questions that are open', async () => {
    for (const who of [survey.visitor, survey.ira]) {
      expect((await who.get('/resources/questions')).body.meta.count).toBe(2);
    }
  });

  test('a question that has closed is gone, and takes no answers', async () => {
    const { ira, closed, answer } = survey;
    const read = await ira.get(at(closed));
    expect(read.status).toBe(403);
    const late = await ira.create('answers', { value: 'late' }, answer(ira, closed));
    expect(outcomeOf(late)).toBe('404 link-not-found');
  });

  test('what was answered offline is sent as a list; a push without an answer is sent again', async () => {
    const { ira, first, second, answer } = survey;
    const list = [
      withId(IRAS, 'secret tea', answer(ira, first)),
      // The same question twice: the other answers are stored all the same.
      withId({ type: 'answers', id: 'a3'.repeat(12) }, 'again', answer(ira, first)),
      withId(IRAS_SECOND, 'secret milk', answer(ira, second)),
    ];
    const key = { 'idempotency-key': 'push-1' };
    const [pushed, again] = [await ira.operate(list, key), await ira.operate(list, key)];
    expect(outcomeOf(pushed)).toBe('200 done value-taken done');
    expect([again.status, again.text]).toEqual([pushed.status, pushed.text]);
    expect((await ira.get('/resources/answers')).body.meta.count).toBe(2);
    expect(outcomeOf(await ira.operate(list))).toBe('200 id-conflict value-taken id-conflict');
  });

  test("another interviewer's push with the same key is another push", async () => {
    const { ivo, first, answer } = survey;
    const list = [withId(IVOS, 'secret coffee', answer(ivo, first))];
    expect(outcomeOf(await ivo.operate(list, { 'idempotency-key': 'push-1' }))).toBe('200 done');
  });

  test('a conflict between two devices stops one operation and no other', async () => {
    const { ira } = survey;
    const { etag } = await ira.get(at(IRAS));
    const other = await ira.get(at(IRAS_SECOND));
    expect((await ira.change(IRAS, set({ value: 'secret tea, green' }), { 'if-match': etag })).status).toBe(
      204,
    );
    const list = [
      update(IRAS, { value: 'x' }, { 'if-match': etag }),
      update(IRAS_SECOND, { value: 'secret cream' }, { 'if-match': other.etag }),
    ];
    expect(outcomeOf(await ira.operate(list))).toBe('200 precondition-failed done');
    const { body } = await ira.get('/resources/answers?sort=id');
    expect(body.data.map(({ attributes }) => attributes?.['value'])).toEqual([
      'secret tea, green',
      'secret cream',
    ]);
  });

  test('researchers read answers without their authors', async () => {
    const { researcher, ira } = survey;
    const { body, text } = await researcher.get('/resources/answers');
    expect([body.meta.count, text.includes(ira.link.id)]).toEqual([3, false]);
    expect(
      (await researcher.get(found('answers', { 'author.id': { $oid: ira.link.id } }))).body.meta.count,
    ).toBe(0);
  });

  test('results are public where two have answered', async () => {
    const { body } = await survey.visitor.get('/aggregates/agt.results');
    expect(body.data.map(({ id, attributes }) => [id, attributes])).toEqual([
      [survey.first.id, { answers: 2 }],
    ]);
  });
});

const attempts: readonly Attempt<Survey>[] = [
  ['reads an answer', ({ mal }) => mal.get(at(IRAS)), '403 forbidden'],
  ['reads an answer without a token', ({ visitor }) => visitor.get(at(IRAS)), '403 forbidden'],
  ['lists answers', ({ mal }) => mal.get('/resources/answers'), '200 of 0'],
  ['lists answers by a negation', ({ mal }) => mal.get(found('answers', { value: { $ne: 1 } })), '200 of 0'],
  [
    'lists answers by words',
    ({ mal }) => mal.get(found('answers', { $text: { $search: 'secret' } })),
    '200 of 0',
  ],
  [
    'finds an answer by its id',
    ({ mal }) => mal.get(found('answers', { id: { $oid: IRAS.id } })),
    '200 of 0',
  ],
  ["reads an answer's question", ({ mal }) => mal.get(at(IRAS, '/question')), '403 forbidden'],
  ['reads a question before its time', ({ mal, later }) => mal.get(at(later)), '403 forbidden'],
  [
    'finds a question before its time',
    ({ mal }) => mal.get(found('questions', { text: 'Sealed?' })),
    '200 of 0',
  ],
  ["uses the researchers' key", ({ malsDesk }) => malsDesk.get('/resources/answers'), '403 forbidden'],
  [
    'reads results of one',
    ({ mal, second }) => mal.get(`/aggregates/agt.results/${second.id}`),
    '404 document-not-found',
  ],
  [
    'answers for Ira',
    ({ mal, ira, second, answer }) => mal.create('answers', {}, answer(ira, second)),
    '403 rule-violated',
  ],
  [
    'answers for nobody',
    ({ visitor, ira, second, answer }) => visitor.create('answers', {}, answer(ira, second)),
    '403 rule-violated',
  ],
  [
    'answers for two',
    ({ mal, ira, second }) =>
      mal.create('answers', {}, { author: to(mal.link, ira.link), question: to(second) }),
    '422 schema-violation',
  ],
  [
    'repeats her push with her key',
    ({ mal, ira, first, answer }) =>
      mal.operate([withId(IRAS, 'x', answer(ira, first))], { 'idempotency-key': 'push-1' }),
    '200 id-conflict',
  ],
  ['writes over an answer', ({ mal }) => mal.change(IRAS, set({ value: 'x' })), '403 forbidden'],
  [
    'writes over an answer, whatever it is',
    ({ mal }) => mal.change(IRAS, set({ value: 'x' }), { 'if-match': '*' }),
    '403 forbidden',
  ],
  [
    'takes an answer',
    ({ mal }) => mal.operate([{ op: 'update', data: { ...IRAS, relationships: { author: to(mal.link) } } }]),
    '200 forbidden',
  ],
  [
    'deletes answers in a list',
    ({ mal }) => mal.operate([remove(IRAS), remove(IVOS)]),
    '200 forbidden forbidden',
  ],
  ['deletes an answer', ({ mal }) => mal.delete(IRAS), '403 forbidden'],
  ['asks a question', ({ mal }) => mal.create('questions', { text: 'x' }), '403 forbidden'],
  [
    'asks a question in a list',
    ({ mal }) => mal.operate([add('questions', { text: 'x' })], {}, true),
    '403 forbidden',
  ],
  ['changes a question', ({ mal, first }) => mal.change(first, set({ text: 'x' })), '403 forbidden'],
];

describe('Mallory gets nowhere, who', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await snapshotOf(survey.trusted, TYPES);
  });

  test.each(attempts)('%s', async (...attempt) => {
    await expectRefused(survey, attempt, ['secret', 'Sealed']);
  });

  test('in the end nothing has changed', async () => {
    expect(await snapshotOf(survey.trusted, TYPES)).toEqual(before);
  });
});
