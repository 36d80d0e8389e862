/**
 * The law of rules: whatever the rule, the documents and the viewer, every way to read shows exactly what the rule's
 * filter, its fields and the rights allow, and a write is accepted exactly if `where` held before, `fields` lets it,
 * and `check` holds after; a refused one changes nothing. A naive judge (support/rules-model.ts) decides, from what
 * a trusted service sees.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { makeExternalUser, makeGroup, makeUser } from '../support/people.ts';
import { draft, fieldList, term, type Viewer } from '../support/rules-model.ts';
import { RulesWorld, type Seen } from '../support/rules-world.ts';
import { checkReads } from '../support/rules-reads.ts';
import { checkWrite, WAYS_TO_WRITE } from '../support/rules-writes.ts';
import { few, scaled } from '../support/long.ts';

const trusted = await Client.create();
const people = [
  await makeUser(trusted, 'ada'),
  await makeUser(trusted, 'bob'),
  await makeExternalUser(trusted),
];

const seen: Seen = { shown: 0, hidden: 0, accepted: 0, refused: 0, unchanged: 0 };

test('every read shows what the rule and the rights allow, and every write does what they allow', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        drafts: fc.array(draft, { minLength: 4, maxLength: 7 }),
        where: term,
        check: term,
        read: fieldList,
        write: fieldList,
        acl: fc.boolean(),
        members: fc.subarray([1, 2, 3]),
      }),
      fc.array(
        fc.record({ at: fc.nat(), other: fc.nat(), to: draft, way: fc.nat({ max: WAYS_TO_WRITE - 1 }) }),
        { minLength: 10, maxLength: 14 },
      ),
      async (setting, writes) => {
        run += 1;
        const team = await makeGroup(
          trusted,
          setting.members.flatMap((member) => people[member - 1] ?? []),
        );
        const viewers: readonly (Viewer | null)[] = [
          null,
          ...people.map((person, at) => ({
            person,
            groups: setting.members.includes(at + 1) ? [team.id] : [],
          })),
        ];
        const world = await RulesWorld.make(trusted, run, setting, viewers, team.id, seen);
        for (const number of world.askers) await checkReads(world, number);
        for (const [turn, each] of writes.entries()) await checkWrite(world, turn, each);
        await world.checkTags();
        await checkReads(world, world.askers[run % world.askers.length] ?? 1);
      },
    ),
    { numRuns: few(8), seed: 13, endOnFailure: true },
  );
  // It was about something.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(scaled(10));
});
