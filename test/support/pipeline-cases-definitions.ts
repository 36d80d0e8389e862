/** Cases of whole definitions: their stages together, and their parameters. */
import { cases, date, fails, refused, type PipelineCase } from './pipeline-case.ts';
import { names, ONLY_NAME, PEOPLE } from './pipeline-cases-streams.ts';

const whole = cases('pipeline', PEOPLE, [
  ['an empty one gives the documents', [], PEOPLE],
  ['refuses a stage of two keys', [{ skip: 1, limit: 1 }], refused('/pipeline/0')],
  ['refuses an empty stage', [{}], refused('/pipeline/0')],
  ['refuses a stage that is no object', ['limit'], refused('/pipeline/0')],
  ['refuses unknown stages', [{ limit: 1 }, { shuffle: 1 }], refused('/pipeline/1/shuffle')],
  ["refuses MongoDB's names", [{ $match: { a: 1 } }], refused('/pipeline/0/$match')],
  ['refuses match', [{ match: {} }], refused('/pipeline/0/match')],
  ['refuses out', [{ out: 'x' }], refused('/pipeline/0/out')],
  ['refuses 65 stages', Array.from({ length: 65 }, () => ({ skip: 0 })), refused('/pipeline')],
  [
    'takes 64 stages',
    [...Array.from({ length: 63 }, () => ({ skip: 0 })), { group: { n: { $sum: 1 } } }],
    [{ n: 4 }],
  ],
  ['two outputs of one id fail', [{ project: { id: '$city', name: 1 } }], fails(0)],
]);

const parameters = cases('parameters', PEOPLE, [
  [
    'stand in expressions',
    [{ limit: 1 }, { project: { z: { $add: ['$age', '$$parameters.more'] } } }],
    [{ z: 40 }],
    { more: 4 },
  ],
  [
    'stand in filters',
    [{ filter: { age: { $gte: '$$parameters.least' } } }, ONLY_NAME],
    names('Ada'),
    { least: 30 },
  ],
  ['stand in limits', [{ limit: '$$parameters.n' }, ONLY_NAME], names('Ada', 'Bob'), { n: 2 }],
  [
    'stand in orders',
    [{ sort: '$$parameters.order' }, { limit: 1 }, ONLY_NAME],
    names('Dee'),
    { order: '-name' },
  ],
  [
    'stand in outputs',
    [{ limit: 1 }, { output: { attributes: '$$parameters.show' } }],
    [{ city: 'London' }],
    { show: ['city'] },
  ],
  [
    'stand in unwind',
    [{ limit: 1 }, { unwind: '$$parameters.by' }, { group: { t: { $push: '$tags' } } }],
    [{ t: ['math', 'code'] }],
    { by: '$tags' },
  ],
  ['stand in group', [{ group: { n: { $sum: '$$parameters.one' } } }], [{ n: 8 }], { one: 2 }],
  [
    'are whole values, never operators',
    [{ filter: { name: '$$parameters.who' } }],
    refused('/parameters/who'),
    { who: { $ne: 1 } },
  ],
  [
    'may be paths into objects',
    [{ limit: 1 }, { project: { z: '$$parameters.a.b' } }],
    [{ z: 7 }],
    { a: { b: 7 } },
  ],
  [
    'hold wrappers',
    [{ limit: 1 }, { project: { z: { $year: '$$parameters.day' } } }],
    [{ z: 2020 }],
    { day: date('2020-05-05') },
  ],
  [
    'need a default',
    [{ limit: 1 }, { project: { z: '$$parameters.none' } }],
    refused('/pipeline/1/project/z'),
  ],
  [
    'need a default in filters too',
    [{ filter: { a: '$$parameters.none' } }],
    refused('/pipeline/0/filter/a'),
  ],
  [
    'must have what the stage takes',
    [{ limit: '$$parameters.n' }],
    refused('/pipeline/0/limit'),
    { n: 'many' },
  ],
  [
    'leave constants beside them to be looked at when written',
    [{ project: { z: { $year: { date: '$$parameters.day', timezone: 'Nope' } } } }],
    refused('/pipeline/0/project/z/$year/timezone'),
    { day: date('2020-05-05') },
  ],
  [
    'are looked at when read',
    [{ project: { z: { $year: { date: '$$NOW', timezone: '$$parameters.z' } } } }],
    fails(0),
    { z: 'Nope' },
  ],
  ['are an object', [{ limit: 1 }], refused('/parameters'), [1]],
]);

export const DEFINITION_CASES: readonly PipelineCase[] = [...whole, ...parameters];
