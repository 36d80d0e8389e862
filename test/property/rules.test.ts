/**
 * The law of rules: whatever the rule, the documents and the viewer, every way to read shows exactly what the rule's
 * filter and the rights allow, and a write is accepted exactly if `where` held before, `fields` lets it, and `check` holds
 * after; a refused one changes nothing. What is allowed is judged here, naively, from what a trusted service sees.
 */
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { Client, type Reply, type Resource } from '../support/client.ts';
import {
  EVERY_METHOD,
  grant,
  makeExternalUser,
  makeGroup,
  makeUser,
  NOBODY,
  type Person,
} from '../support/people.ts';

/** A rule, and what it says of a document for whoever asks. */
type Term = readonly [filter: object, holds: (document: Resource, viewer: Viewer | null) => boolean];

interface Viewer {
  readonly person: Person;
  readonly groups: readonly string[];
}

let trusted: Client;
let viewers: readonly (Viewer | null)[];

beforeAll(async () => {
  trusted = await Client.create();
  const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
  const out = await makeExternalUser(trusted);
  const { id } = await makeGroup(trusted, [bob, out]);
  viewers = [null, { person: ada, groups: [] }, { person: bob, groups: [id] }, { person: out, groups: [id] }];
});

const n = ({ attributes }: Resource) => attributes?.['n'];
const by = ({ relationships }: Resource) => {
  const data = relationships?.['by']?.data ?? null;
  return data === null || Array.isArray(data) ? null : data;
};
const mine = (document: Resource, viewer: Viewer) => by(document)?.id === viewer.person.link.id;

const LEAVES: readonly Term[] = [
  [{ n: { $gte: 2 } }, (document) => Number(n(document)) >= 2],
  [{ n: { $in: [0, 3] } }, (document) => [0, 3].includes(Number(n(document)))],
  [{ open: true }, ({ attributes }) => attributes?.['open'] === true],
  [{ at: { $lte: '$$now' } }, ({ attributes }) => String(attributes?.['at']).startsWith('2001')],
  [{ 'by.id': '$$viewer.id' }, (document, viewer) => viewer !== null && mine(document, viewer)],
  [
    { 'by.type': '$$viewer.type' },
    (document, viewer) => viewer !== null && by(document)?.type === viewer.person.link.type,
  ],
  [
    { owner: '$$viewer.id' },
    ({ attributes }, viewer) => viewer !== null && attributes?.['owner'] === viewer.person.link.id,
  ],
  [
    { team: { $in: '$$viewer.groups' } },
    ({ attributes }, viewer) => viewer?.groups.includes(String(attributes?.['team'])) === true,
  ],
];
const namesViewer = (filter: object) => JSON.stringify(filter).includes('$$viewer');

const leaf = fc.constantFrom(...LEAVES);
const anything: fc.Arbitrary<Term> = fc.constant([{}, () => true]);
const term: fc.Arbitrary<Term> = fc.oneof(
  leaf,
  fc
    .tuple(leaf, leaf)
    .map(([[a, one], [b, two]]): Term => [{ $or: [a, b] }, (...of) => one(...of) || two(...of)]),
  fc
    .tuple(leaf, leaf)
    .map(([[a, one], [b, two]]): Term => [{ $and: [a, b] }, (...of) => one(...of) && two(...of)]),
  leaf.map(([a, one]): Term => [{ $nor: [a] }, (...of) => !one(...of)]),
);

/** What a rule says: without a viewer, one that names the viewer holds for nothing, under a negation too. */
function holds([filter, says]: Term, document: Resource, viewer: Viewer | null): boolean {
  return !(viewer === null && namesViewer(filter)) && says(document, viewer);
}

const draft = fc.record({
  n: fc.nat({ max: 4 }),
  open: fc.boolean(),
  past: fc.boolean(),
  by: fc.nat({ max: 3 }),
  owner: fc.nat({ max: 3 }),
  team: fc.boolean(),
  readers: fc.subarray([1, 2, 3]),
});
type Drafted = typeof draft extends fc.Arbitrary<infer T> ? T : never;

function contentOf(type: string, each: Drafted) {
  const person = (at: number) => viewers[at]?.person.link ?? null;
  return {
    type,
    attributes: {
      n: each.n,
      open: each.open,
      at: { $date: each.past ? '2001-01-01T00:00:00Z' : '2901-01-01T00:00:00Z' },
      owner: person(each.owner)?.id ?? 'nobody',
      team: each.team ? (viewers[2]?.groups[0] ?? '') : 'none',
      word: `word${each.n}`,
      home: { type: 'Point', coordinates: [each.n, 0] },
    },
    relationships: { by: { data: person(each.by) } },
  };
}

const seen = { shown: 0, hidden: 0, accepted: 0, refused: 0 };

test('every read shows what the rule and the rights allow, and every write does what they allow', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft, { minLength: 4, maxLength: 7 }),
      fc.oneof({ weight: 4, arbitrary: term }, { weight: 1, arbitrary: anything }),
      fc.oneof(term, anything),
      fc.boolean(),
      fc.array(fc.record({ at: fc.nat(), to: draft, way: fc.nat({ max: 5 }) }), {
        minLength: 6,
        maxLength: 10,
      }),
      async (drafts, where, check, acl, writes) => {
        run += 1;
        const type = `ruled${run}`;
        const base = `/resources/${type}`;
        const made: Resource[] = [];
        for (const each of drafts) {
          const { attributes, relationships } = contentOf(type, each);
          made.push(await trusted.make(type, attributes, relationships));
        }
        for (const [at, { readers }] of drafts.entries()) {
          const links = readers.flatMap((reader) => viewers[reader]?.person.link ?? []);
          await grant(trusted, `${base}/${made[at]?.id ?? ''}`, {
            read: links,
            update: links,
            delete: links,
          });
        }
        const hub = await trusted.make(
          `hub${run}`,
          {},
          { to: { data: made.map(({ id }) => ({ type, id })) } },
        );
        const output = `agt.ruled${run}`;
        await trusted.post('/aggregates/core.aggregate', {
          data: {
            type: 'core.aggregate',
            attributes: {
              'input-type': type,
              'output-type': output,
              pipeline: [{ project: { id: { $toString: '$id' } } }],
            },
          },
        });
        const rule = { where: where[0], ...(acl && { acl: { active: true } }) };
        const web = await trusted.withPermissions([
          {
            path: `/resources/${type}.*`,
            methods: EVERY_METHOD,
            ...rule,
            check: check[0],
            fields: { write: ['n', 'open', 'by', 'word'] },
          },
          { path: `/aggregates/${output}.*`, methods: ['get'], ...rule },
          { path: '/.*', methods: EVERY_METHOD },
        ]);
        const all = async () => (await trusted.get(`${base}?page[limit]=100`)).body.data;
        const mayReach = (id: string, viewer: number) =>
          !acl || drafts[made.findIndex((each) => each.id === id)]?.readers.includes(viewer) === true;

        for (const [number, viewer] of viewers.entries()) {
          if (acl && viewer === null) continue;
          const { headers } = viewer?.person ?? NOBODY;
          const documents = await all();
          const allowed = documents
            .filter((each) => mayReach(each.id, number) && holds(where, each, viewer))
            .map(({ id }) => id);
          seen.shown += allowed.length;
          seen.hidden += documents.length - allowed.length;
          const near = encodeURIComponent(
            '{"home":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}}}',
          );
          const text = encodeURIComponent('{"$text":{"$search":"word0 word1 word2 word3 word4"}}');
          for (const path of [
            base,
            `${base}?sort=-n`,
            `${base}?filter[n]={"$gte":0}`,
            `${base}?filter[*]=${text}`,
            `${base}?filter[*]=${near}`,
            `/aggregates/${output}`,
          ]) {
            const { body } = await web.get(path, headers);
            expect([path, body.meta.count, body.data.map(({ id }) => id).sort()]).toEqual([
              path,
              allowed.length,
              allowed,
            ]);
          }
          for (const page of [
            'page[size]=2&page[after]=',
            'page[size]=2&page[number]=1',
            'page[limit]=2&page[offset]=0',
          ]) {
            const found: string[] = [];
            let next: string | null = `${base}?sort=-n&${page}`;
            while (next !== null) {
              const { body }: Reply = await web.get(next, headers);
              found.push(...body.data.map(({ id }) => id));
              next = body.links.next;
            }
            expect(found.sort()).toEqual(allowed);
          }
          const included = await web.get(`/resources/hub${run}/${hub.id}?include=to`, headers);
          expect(included.body.included.map(({ id }) => id).sort()).toEqual(allowed);
          const related = await web.get(`/resources/hub${run}/${hub.id}/to?page[size]=100`, headers);
          expect(related.body.data.map(({ id }) => id).sort()).toEqual(allowed);
          for (const { id } of documents) {
            const can = allowed.includes(id);
            const one = await web.get(`${base}/${id}`, headers);
            expect(one.status).toBe(can ? 200 : 403);
            const linked = await web.get(`${base}/${id}/relationships/by`, headers);
            expect(linked.status).toBe(can ? 200 : 403);
            const again = await web.get(`${base}/${id}`, { ...headers, 'if-none-match': one.etag || '*' });
            expect(again.status).toBe(can ? 304 : 403);
          }
        }

        for (const [turn, { at, to, way }] of writes.entries()) {
          const number = acl ? 1 + (turn % 3) : turn % 4;
          const viewer = viewers[number] ?? null;
          const { headers } = viewer?.person ?? NOBODY;
          const before = await all();
          const target = before[at % before.length];
          if (target === undefined) continue;
          const path = `${base}/${target.id}`;
          const { attributes, relationships } = contentOf(type, to);
          const reached = mayReach(target.id, number) && holds(where, target, viewer);
          const after = (change: object): Resource => ({
            ...target,
            attributes: { ...target.attributes, ...change },
          });
          const { id } = target;
          const relinked: Resource = {
            ...target,
            relationships: { by: { ...relationships.by, links: { self: '', related: '' } } },
          };
          const ways: readonly (readonly [send: () => Promise<Reply>, allowed: boolean])[] = [
            [
              () => web.patch(path, { data: { type, id, attributes: { n: to.n } } }, headers),
              reached && holds(check, after({ n: to.n }), viewer),
            ],
            [
              () => web.patch(path, { data: { type, id, meta: { update: { $inc: { n: 1 } } } } }, headers),
              reached && holds(check, after({ n: Number(n(target)) + 1 }), viewer),
            ],
            [
              () => web.patch(`${path}/relationships/by`, { data: relationships.by.data }, headers),
              reached && holds(check, relinked, viewer),
            ],
            [
              () => web.patch(path, { data: { type, id, attributes: { owner: attributes.owner } } }, headers),
              false,
            ],
            [
              () =>
                web.post(
                  '/operations',
                  {
                    'atomic:operations': [
                      { op: 'update', data: { type, id, attributes: { open: to.open } } },
                    ],
                  },
                  {
                    ...headers,
                    'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
                  },
                ),
              reached && holds(check, after({ open: to.open }), viewer),
            ],
            [() => web.delete(path, undefined, headers), reached],
          ];
          const [send, allowed] = ways[way] ?? expect.fail();
          const reply = await send();
          seen[allowed ? 'accepted' : 'refused'] += 1;
          expect([way, reply.status < 400, reply.text]).toEqual([way, allowed, expect.any(String)]);
          if (!allowed) {
            expect(reply.status).toBe(403);
            expect(await all()).toEqual(before);
          }
        }
      },
    ),
    { numRuns: 8, seed: 13 },
  );
  // It was about something.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(4);
}, 120_000);
