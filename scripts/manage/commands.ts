/** Commands on an application that change much at once: they tell what they will do, ask, and can be repeated. */
import { createInterface } from 'node:readline/promises';
import { command, counted, serviceAt, type Command } from '../commands/command.ts';
import { Failure } from '../failure.ts';
import { Inside, type Traces } from './inside.ts';

/** How many documents a question shows, and how many characters of each. */
const SHOWN = 3;
const WIDTH = 100;

/** How often an erased person is looked for again. */
const ROUNDS = 5;

const YES = { yes: { type: 'boolean' } } as const;
const ASKING = { ...YES, 'dry-run': { type: 'boolean' } } as const;

export const MANAGEMENT: Readonly<Record<string, Command>> = {
  delete: command(
    '<id> [--now] [--yes]',
    `ends an application at once, and deletes it with all its data after some days, or --now; asks first, unless you
    give --yes`,
    { ...YES, now: { type: 'boolean' } },
    async ({ values, word }) => {
      const id = word(0, 'an id');
      const name = String((await serviceAt().application(id))['name']);
      const isNow = values.now === true;
      if (values.yes !== true) {
        const how = isNow ? 'at once, and nobody can have it back' : 'and all of its keys end at once';
        await confirm(name, `The application ${name} (${id}) is deleted with everything in it, ${how}.`);
      }
      if (isNow) {
        await serviceAt().delete(id);
        console.log(`${id}  deleted`);
      } else {
        const ends = await serviceAt().end(id);
        console.log(`${id}  is deleted at ${ends}; until then: npm run app -- undelete ${id}`);
      }
    },
  ),
  undelete: command('<id>', 'brings back an application before it is deleted', {}, async ({ word }) => {
    const id = word(0, 'an id');
    await serviceAt().keep(id);
    console.log(`${id}  is there again`);
  }),
  audit: command(
    '<id> <days>',
    'keeps an audit trail of all changes for this number of days, or off',
    {},
    async ({ word }) => {
      const id = word(0, 'an id');
      const days = word(1, 'a number of days, or off');
      await serviceAt().change(id, { 'audit-days': days === 'off' ? null : Number(days) });
      console.log(
        `${id}  ${days === 'off' ? 'has no audit trail' : `keeps its audit trail for ${days} days`}`,
      );
    },
  ),
  collections: command(
    '<id>',
    'lists the types of an application, and how many documents each has',
    {},
    async ({ word }) => {
      for (const { name, documents } of await serviceAt().types(word(0, 'an id'))) {
        console.log(`${counted(documents).padStart(14)}  ${name}`);
      }
    },
  ),
  doctor: command(
    '[id]',
    'lists rules, filters and pipelines that would be refused now, stuck transactions, and lost or unknown contents',
    {},
    async ({ words }) => {
      const ids = words.length > 0 ? words : (await serviceAt().list()).map(({ id }) => id);
      let count = 0;
      for (const id of ids) {
        for (const { document, pointer, detail } of await new Inside(serviceAt(), id).findings()) {
          console.log(`${id}  ${document}  ${pointer}\n  ${detail}`);
          count += 1;
        }
      }
      console.log(count === 0 ? 'Nothing is wrong.' : `${counted(count)} findings`);
    },
  ),
  users: command('<id>', 'lists its users and external users', {}, async ({ word }) => {
    for await (const { type, id, name } of new Inside(serviceAt(), word(0, 'an id')).users()) {
      console.log(`${id}  ${type}  ${name}`.trimEnd());
    }
  }),
  'end-tokens': command('<id> <user>', 'ends all tokens of a user', {}, async ({ word }) => {
    const user = word(1, 'the id of a user');
    await new Inside(serviceAt(), word(0, 'an id')).endTokens(user);
    console.log(`${user}  has no valid token any more`);
  }),
  'delete-documents': command(
    '<id> <type> <filter> [--dry-run] [--yes]',
    'deletes the documents that match a filter; shows their number, then asks',
    ASKING,
    async ({ values, word }) => {
      const inside = new Inside(serviceAt(), word(0, 'an id'));
      const type = word(1, 'a type');
      const filter = word(2, 'a filter, such as \'{"state": "old"}\'');
      const { count, documents } = await inside.matching(type, filter, SHOWN);
      console.log(`${counted(count)} documents of type ${type}`);
      for (const { id, attributes = {} } of documents) {
        console.log(`${id}  ${JSON.stringify(attributes).slice(0, WIDTH)}`);
      }
      if (count === 0 || values['dry-run'] === true) return;
      if (values.yes !== true) await confirm(type, `All ${counted(count)} are deleted.`);
      let deleted = 0;
      for (let some = -1; some !== 0; deleted += some) some = await inside.deleteSome(type, filter);
      console.log(`${counted(deleted)} deleted`);
    },
  ),
  erase: command(
    '<id> <user> [--dry-run] [--yes]',
    'erases a person; shows the data, then asks',
    ASKING,
    async ({ values, word }) => {
      const inside = new Inside(serviceAt(), word(0, 'an id'));
      const user = word(1, 'the id of a user');
      const before = await inside.traces(user);
      if (before.types.length === 0) {
        console.log(`There is nothing of ${user}.`);
        return;
      }
      print(before, 'theirs', 'name them');
      if (values['dry-run'] === true) return;
      if (values.yes !== true) {
        await confirm(user, 'What is theirs is deleted, and their name is taken out of the rest.');
      }
      // More than once: somebody may have written meanwhile.
      for (let round = 0; round < ROUNDS; round += 1) {
        let erased: Traces;
        do erased = await inside.erase(user);
        while (erased.more);
        if ((await inside.traces(user)).types.length === 0) {
          for (const type of erased.held ?? [])
            console.log(`${type}  former versions may name them: they are held`);
          console.log(`${user}  erased`);
          return;
        }
      }
      throw new Failure('Some data are left: run the command again.');
    },
  ),
};

function print({ types }: Traces, owned: string, named: string): void {
  for (const each of types) {
    const theirs = `${counted(each.owned).padStart(10)} ${owned}`;
    console.log(`${theirs}  ${counted(each.named).padStart(10)} ${named}  ${each.name}`);
  }
}

/**
 * A question to whoever runs a command that cannot be taken back. Resolves when the word was typed; fails for anything
 * else, and where nobody can type.
 */
async function confirm(word: string, what: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<null>((resolve) =>
    lines.once('close', () => {
      resolve(null);
    }),
  );
  const answer = await Promise.race([lines.question(`${what}\nType ${word} to go on: `), ended]);
  lines.close();
  if (answer?.trim() !== word) throw new Failure('Nothing was done. With --yes the command does not ask.');
}
