/** Who tests of a history need: a trusted client, one under ACL, and two users; and types that have a history. */
import { beforeAll } from 'vitest';
import { Client } from './client.ts';
import { makeUser, underAcl, type Person } from './people.ts';
import { settle } from './type-settings.ts';

interface World {
  readonly client: Client;
  readonly acl: Client;
  readonly ada: Person;
  readonly eve: Person;
}

let types = 0;

/** To be called at the top of a test file. */
export function useHistoryUsers(): World & { readonly newType: (settings?: object) => Promise<string> } {
  let made: World | undefined;
  const world = (): World => {
    if (made === undefined) throw new Error('There are users once the first test begins.');
    return made;
  };
  beforeAll(async () => {
    const client = await Client.create();
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    made = { client, acl: await underAcl(client), ada, eve };
  });
  return {
    get client() {
      return world().client;
    },
    get acl() {
      return world().acl;
    },
    get ada() {
      return world().ada;
    },
    get eve() {
      return world().eve;
    },
    /** The name of a new type with history, and other settings. */
    newType: async (settings = {}) => {
      const name = `past${(types += 1)}`;
      const settled = await settle(world().client, { name, history: 'forever', ...settings });
      if (settled.status !== 201) throw new Error(settled.text);
      return name;
    },
  };
}
