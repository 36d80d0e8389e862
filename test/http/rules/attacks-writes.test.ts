/**
 * Attacks on rules by writing: what the answer to a write tells of hidden fields, hidden documents and hidden parts of
 * a definition. Two types differ only in what is hidden: every answer about one must be the answer about the other.
 */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Options } from '../../support/client.ts';
import { faultsOf } from '../../support/faults.ts';
import { operate } from '../../support/operations.ts';
import { EVERY_METHOD, may } from '../../support/people.ts';
import { makeSides, SEEN, told, WHERE, type Side } from '../../support/two-sides.ts';
import { makeSchema } from '../../support/type-settings.ts';

const trusted = await Client.create();
const sides = await makeSides(trusted);
const writer = await trusted.withPermissions([
  may(EVERY_METHOD, '/resources/.*', { where: WHERE, fields: { read: SEEN } }),
  may('post', '/operations'),
]);

describe('a write tells nothing of what is hidden', () => {
  const body = (side: Side, id: string, more: object) => ({
    body: { data: { type: side.type, id, ...more } },
  });
  const WRITES: readonly (readonly [
    title: string,
    method: string,
    path: string,
    options: (side: Side, id: string) => Options,
  ])[] = [
    ['a change', 'PATCH', '', (side, id) => body(side, id, { attributes: { nick: 'f' } })],
    [
      'a hidden number that is there already, as it would be shown',
      'PATCH',
      '',
      (side, id) => ({
        body: `{"data":{"type":"${side.type}","id":"${id}","attributes":{"big":123456789012345678901234567890}}}`,
      }),
    ],
    [
      'a hidden value moved to where it is seen',
      'PATCH',
      '',
      (side, id) => body(side, id, { meta: { update: { $rename: { salary: 'nick' } } } }),
    ],
    [
      'a part of it moved',
      'PATCH',
      '',
      (side, id) => body(side, id, { meta: { update: { $rename: { 'pay.amount': 'status' } } } }),
    ],
    ['a hidden relationship emptied', 'DELETE', '/relationships/boss', () => ({ body: { data: [] } })],
    ['one that there is not', 'DELETE', '/relationships/other', () => ({ body: { data: [] } })],
    [
      'one that cannot be, with a link to nothing',
      'POST',
      '/relationships/boss',
      () => ({ body: { data: [{ type: 'x', id: NO_ID }] } }),
    ],
    [
      'a tag of another',
      'PATCH',
      '',
      (side, id) => ({ ...body(side, id, { attributes: { nick: 'g' } }), headers: { 'if-match': '"AA"' } }),
    ],
  ];

  test.each(WRITES)('%s', async (_, method, path, options) => {
    const [one, other] = await Promise.all(
      sides.map(async (side) => {
        const { attributes, relationships } = (await trusted.get(`/resources/${side.type}/${side.eva.id}`))
          .body.data;
        const big = { $numberDecimal: side === sides[0] ? '123456789012345678901234567890' : '99' };
        const { id } = await trusted.make(
          side.type,
          { ...attributes, big },
          Object.fromEntries(Object.entries(relationships ?? {}).map(([name, { data }]) => [name, { data }])),
        );
        const reply = await writer.send(method, `/resources/${side.type}/${id}${path}`, options(side, id));
        const after = await writer.get(`/resources/${side.type}/${id}`);
        await trusted.delete(`/resources/${side.type}/${id}`);
        return [told(reply, side, [id]), told(after, side, [id])];
      }),
    );
    expect(one).toEqual(other);
  });

  test('a relationship where a hidden attribute is, in a list of operations that is faulty', async () => {
    const ask = async (relationship: string) => {
      const [{ type, eva }] = sides;
      const reply = await operate(writer, [
        { op: 'update', ref: { ...eva, relationship }, data: { type, id: 'none' } },
      ]);
      return [reply.status, reply.text];
    };
    expect(await ask('salary')).toEqual(await ask('nothing'));
  });

  test('a schema that a hidden field does not meet', async () => {
    const made = await trusted.make('held', { name: 'a', n: 5 });
    await makeSchema(trusted, 'held', {
      attributes: { properties: { n: { maximum: 1 }, name: { maxLength: 3 } } },
    });
    const limited = await trusted.withPermissions([
      may(EVERY_METHOD, '/resources/held.*', { fields: { read: ['name'] } }),
    ]);
    const change = (attributes: object, more: object = {}) =>
      limited.update(`/resources/held/${made.id}`, { attributes, ...more });
    expect(faultsOf(await change({ name: 'b' }))).toEqual(['409 change-refused']);
    const fine = await trusted.make('held', { name: 'a', n: 1 });
    const seen = await limited.update(`/resources/held/${fine.id}`, {
      meta: { update: { $inc: { name: 1 } } },
    });
    // What is seen is told of.
    expect(faultsOf(seen)).toEqual([expect.stringContaining('/data/meta/update/$inc/name')]);
    const linked = await limited.post(`/resources/held/${fine.id}/relationships/name`, { data: [] });
    expect(faultsOf(linked)).toEqual([expect.stringContaining('field-conflict')]);
  });
});

test('what is wrong with the hidden part of a definition is not told', async () => {
  const limited = await trusted.withPermissions([
    may(EVERY_METHOD, '/aggregates/core\\.aggregate.*', { fields: { read: ['output-type'] } }),
  ]);
  const change = async (parameters: object) => {
    const attributes = {
      'input-type': 'staff0',
      'output-type': `agt.wrong-${Object.keys(parameters).join('')}`,
      pipeline: [{ filter: { n: { $gt: '$$parameters.least' } } }, { project: { id: '$name' } }],
      parameters: { least: 1 },
    };
    const { body } = await trusted.create('/aggregates/core.aggregate', { attributes });
    const { type, id } = body.data;
    return limited.patch(`/aggregates/core.aggregate/${id}`, {
      data: { type, id, attributes: { parameters } },
    });
  };
  expect(faultsOf(await change({ most: 1 }))).toEqual(['409 change-refused']);
  expect((await change({ least: 2 })).body.data.attributes).toEqual({ 'output-type': 'agt.wrong-least' });
});
