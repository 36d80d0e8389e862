/**
 * `npm run bench -- --rules <channels>`: what rules cost that see more than one document. Each work stands beside the
 * same one without: lists under rights through links, writes that look at a linked document, and a change of rights
 * that many documents inherit.
 */
import {
  createMany,
  createOne,
  creation,
  headersOf,
  type Credentials,
  type Resource,
} from './foredge/api.ts';
import { aclKey, userToken } from './foredge/data.ts';
import { startForedge } from './foredge/serve.ts';
import { listOf } from './lists.ts';
import type { Exchange } from './load.ts';
import type { Options } from './options.ts';
import { machineLine } from './report.ts';
import { markdownTable, short, times } from './stats.ts';
import { ratesInTurn, type Work } from './turns.ts';

/** One in so many channels, and so of messages, is the reader's. */
const READABLE = 100;
/** Of so many requests beside writes, one is a write. */
const WRITES = 10;
const PAGE = 20;

const TEXT = 'It was a dark and stormy night. '.repeat(18);

const SETTINGS: readonly Record<string, unknown>[] = [
  { name: 'own', rights: { read: ['$readers'] } },
  { name: 'channels', rights: { read: ['$members'] } },
  { name: 'through', rights: { read: ['$channel'] } },
  { name: 'rooms', rights: { read: ['$members'] } },
  { name: 'talk', rights: { read: ['$room'] } },
  {
    name: 'looking',
    set: { topic: '$channel.topic' },
    checks: [{ name: 'open', filter: { 'channel.closed': { $ne: true } } }],
  },
];

/** Each work, the same without, and the least ratio. */
const PAIRS = [
  ['list, rights through links', 'list, own rights', 0.9],
  ['list beside writes, rights through links', 'list beside writes, own rights', 0.9],
  ['create with set and a check over a link', 'create', 0.6],
  ['update with set and a check over a link', 'update', 0.6],
  ['change of the members of all messages', 'update', 0.5],
] as const;

/** The report. */
export async function runRules(channels: number, options: Options): Promise<string> {
  const size = options.sizes.at(-1) ?? 0;
  const { credentials } = await startForedge();
  const rateOf = await ratesInTurn(credentials.url, await load(credentials, channels, size), options);
  const rows = PAIRS.map(([work, without, least]) => {
    const [rate, usual] = [rateOf(work), rateOf(without)];
    return [work, short(usual), short(rate), times(rate / usual), String(least)];
  });
  const many = `${size.toLocaleString('en')} messages of each type, in ${channels.toLocaleString('en')} channels`;
  const note = `${many}; the reader reads one in ${READABLE}.`;
  const head = ['Work', 'a second, without', 'with', 'ratio', 'least'];
  return [machineLine([]), note, markdownTable(head, rows)].join('\n\n');
}

async function load(credentials: Credentials, channels: number, size: number): Promise<readonly Work[]> {
  for (const attributes of SETTINGS)
    await createOne(credentials, { type: 'core.type', attributes }, '/schemas/core.type');
  const key = await createOne(credentials, aclKey(['/resources/(own|through)']), '/api-keys/core.api-key');
  const underAcl = { ...credentials, key: String(key.data.attributes['secure-id']) };
  const user = (username: string) => userToken(credentials, { username, password: 'reads one in a hundred' });
  const [reader, other] = [await user('reader@example.org'), await user('other@example.org')];
  const make = async (type: string, count: number, relate: (n: number) => Resource['relationships']) => {
    const resources = Array.from({ length: count }, (_, n) => ({
      type,
      attributes: { n, text: TEXT },
      relationships: relate(n) ?? {},
    }));
    return (await createMany(credentials, resources)).ids;
  };
  const link = (type: string, id = '') => ({ data: { type, id } });
  const isRead = (n: number) => (n % channels) % READABLE === 0;
  const holder = (n: number) => ({ data: [isRead(n) ? reader.link : other.link] });
  const channelIds = await make('channels', channels, (n) => ({ members: holder(n) }));
  const channelOf = (n: number) => ({ channel: link('channels', channelIds[n % channels]) });
  const [room] = await make('rooms', 1, () => ({ members: { data: [reader.link] } }));
  const ids = new Map([
    ['own', await make('own', size, (n) => ({ readers: holder(n) }))],
    ['through', await make('through', size, channelOf)],
    ['talk', await make('talk', size, () => ({ room: link('rooms', room) }))],
    ['plain', await make('plain', size, channelOf)],
    ['looking', await make('looking', size, channelOf)],
  ]);
  const readable = Array.from({ length: size }, (_, n) => n).filter(isRead).length;
  let count = 0;
  const headers = headersOf(credentials);
  const patch = (type: string, id: string, content: object): Exchange => ({
    method: 'PATCH',
    path: `/resources/${type}/${id}`,
    headers,
    body: JSON.stringify({ data: { type, id, ...content } }),
  });
  const update = (type: string): Exchange => {
    count += 1;
    const of = ids.get(type) ?? [];
    // A prime step meets all documents, in no order.
    return patch(type, of[(count * 7919) % of.length] ?? '', { attributes: { n: -count } });
  };
  const list = (type: string): Exchange => {
    count += 1;
    const offset = (count % Math.ceil(readable / PAGE)) * PAGE;
    return {
      method: 'GET',
      path: `/resources/${type}?page[limit]=${PAGE}&page[offset]=${offset}`,
      headers: headersOf(underAcl, reader.token),
      check: ({ text }) => {
        const { meta } = listOf(text);
        return meta.count === readable ? null : `a count of ${meta.count}, not ${readable}`;
      },
    };
  };
  const beside = (type: string) => (count % WRITES === 0 ? update(type) : list(type));
  const create = (type: string) =>
    creation(headers, { type, attributes: { n: 0, text: TEXT }, relationships: channelOf((count += 1)) });
  const others = [[reader.link], [reader.link, other.link]];
  return [
    { name: 'list, own rights', next: () => list('own') },
    { name: 'list, rights through links', next: () => list('through') },
    { name: 'list beside writes, own rights', next: () => beside('own') },
    { name: 'list beside writes, rights through links', next: () => beside('through') },
    { name: 'create', next: () => create('plain') },
    { name: 'create with set and a check over a link', next: () => create('looking') },
    { name: 'update', next: () => update('plain') },
    { name: 'update with set and a check over a link', next: () => update('looking') },
    {
      name: 'change of the members of all messages',
      next: () =>
        patch('rooms', room ?? '', { relationships: { members: { data: others[(count += 1) % 2] } } }),
    },
  ];
}
