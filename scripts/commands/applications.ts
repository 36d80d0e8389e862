/** Commands that make, list and change applications. */
import { readDeclarations } from '../declarations.ts';
import { Failure } from '../failure.ts';
import { command, serviceAt, type Command } from './command.ts';

export const APPLICATIONS: Readonly<Record<string, Command>> = {
  create: command(
    '<name> [placement]',
    `makes an application; prints its id and an API key that permits everything; placement: the jurisdiction in which
    all data stay (eu, us, …), or a nearby region (weur, enam, apac, …)`,
    {},
    async ({ word, words }) => {
      printKey(await serviceAt().create(word(0, 'a name'), words[1]));
    },
  ),
  list: command('', 'lists applications', {}, async () => {
    for (const { id, name, ends } of await serviceAt().list()) {
      console.log(`${id}  ${name}${ends === undefined ? '' : `  (is deleted at ${ends})`}`);
    }
  }),
  rename: command('<id> <name>', 'renames an application', {}, async ({ word }) => {
    const renamed = await serviceAt().change(word(0, 'an id'), { name: word(1, 'a name') });
    console.log(`${renamed.id}  ${renamed.name}`);
  }),
  key: command(
    '<id> [name]',
    'makes and prints an API key that permits everything in an application',
    {},
    async ({ word, words }) => {
      const id = word(0, 'an id');
      printKey({ id, apiKey: await serviceAt().key(id, words[1] ?? 'key of the operator') });
    },
  ),
  oidc: command(
    '<id> <issuer> <audience>',
    'lets users log in with id tokens of an OpenID Connect issuer; off in place of both ends this',
    {},
    async ({ word }) => {
      const id = word(0, 'an id');
      const issuer = word(1, 'an issuer, or off');
      const trusted = issuer === 'off' ? null : { issuer, audience: word(2, 'an audience') };
      await serviceAt().change(id, { oidc: trusted });
      console.log(`${id}  trusts ${trusted?.issuer ?? 'no issuer'}`);
    },
  ),
  quota: command(
    '<id> <name>=<number> …',
    `sets all limits of an application: requests (a second), documents, bytes, types; off removes them`,
    {},
    async ({ word, words }) => {
      const id = word(0, 'an id');
      const first = word(1, 'quotas such as documents=1000, or off');
      const named = words.slice(1);
      const quotas = first === 'off' ? null : Object.fromEntries(named.map(readQuota));
      await serviceAt().change(id, { quotas });
      console.log(`${id}  ${quotas === null ? 'has no quotas' : named.join('  ')}`);
    },
  ),
  types: command(
    '[id]',
    'prints TypeScript types for the client, of an application or of the project in this folder',
    { project: { type: 'string', default: '.' } },
    async ({ words: [id], values }) => {
      const { typesOf } = await import('../application-types.ts');
      const { checkedProject, declarationsOf } = await import('../project/check.ts');
      const declarations =
        id === undefined
          ? declarationsOf(checkedProject(values.project))
          : await readDeclarations(serviceAt(), id);
      process.stdout.write(await typesOf(declarations));
    },
  ),
};

export function printKey({ id, apiKey }: { readonly id: string; readonly apiKey: string }): void {
  console.log(JSON.stringify({ application_id: id, api_key: apiKey }, null, 2));
}

function readQuota(word: string): readonly [string, number] {
  const [, name, number] = /^([a-z]+)=([0-9]{1,15})$/.exec(word) ?? [];
  if (name === undefined) throw new Failure(`A quota is written as documents=1000, not ${word}.`);
  return [name, Number(number)];
}
