/** What `count` in the settings of a type may say (docs/types.md#counters). */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { Counted, faults } from '../support/counted-articles.ts';
import { resettle, settle } from '../support/type-settings.ts';

const trusted = await Client.create();
const world = new Counted(trusted);

describe('settings', () => {
  const COMMENTS = { type: 'comments', by: 'article' };
  test.each<[string, object, string]>([
    ['no object', { count: ['comments'] }, ''],
    [
      'more than eight',
      { count: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`n${n}`, COMMENTS])) },
      '',
    ],
    ['a name that no field has', { count: { 'a.b': COMMENTS } }, '/a.b'],
    ['no type', { count: { comments: { by: 'article' } } }, '/comments/type'],
    [
      'a type that is not stored',
      { count: { comments: { type: 'agt.x', by: 'article' } } },
      '/comments/type',
    ],
    ['no relationship', { count: { comments: { type: 'comments' } } }, '/comments/by'],
    ['the id', { count: { comments: { type: 'comments', by: 'id' } } }, '/comments/by'],
    ['another member', { count: { comments: { ...COMMENTS, were: {} } } }, '/comments/were'],
    ['no filter', { count: { comments: { ...COMMENTS, where: 'open' } } }, '/comments/where'],
    [
      'a wrong filter',
      { count: { comments: { ...COMMENTS, where: { a: { $gtt: 1 } } } } },
      '/comments/where/a',
    ],
    ['a variable', { count: { comments: { ...COMMENTS, where: { by: '$$viewer.id' } } } }, '/comments/where'],
    [
      'the time',
      { count: { comments: { ...COMMENTS, where: { by: { $lt: '$$now' } } } } },
      '/comments/where',
    ],
    ['a computed field', { set: { comments: 1 }, count: { comments: COMMENTS } }, '/comments'],
    [
      'an inverse',
      { inverses: { comments: { type: 'comments', through: 'article' } }, count: { comments: COMMENTS } },
      '/comments',
    ],
  ])('refuse %s', async (_, attributes, pointer) => {
    const made = await settle(trusted, { name: 'refused', ...attributes });
    const [first = ''] = faults(made);
    expect(first).toMatch(
      new RegExp(`^422 invalid-attribute /data/attributes/count${pointer.replace('.', '\\.')}`),
    );
  });

  test('of a type of the service are refused', async () => {
    const made = await settle(trusted, { name: 'core.user', count: { comments: COMMENTS } });
    expect(faults(made)).toEqual(['422 invalid-attribute /data/attributes/count']);
  });

  test('are shown as they were sent, and end with null', async () => {
    const { article, comment } = await world.articles({ state: { $in: ['open'] } });
    const id = await world.added(article);
    expect(await world.counted(article, id)).toBe(0);
    const changed = await resettle(trusted, article, { text: false });
    expect(changed.body.data.attributes?.['count']).toEqual({
      comments: { type: comment, by: 'article', where: { state: { $in: ['open'] } } },
    });
    await resettle(trusted, article, { count: null });
    expect(await world.counted(article, id)).toBeUndefined();
  });
});
