/** `npm run app -- …`: the operator's command for applications, against a local or a deployed service. */
import { offerOf, shownName } from '../src/domain/names.ts';
import { filesOf, readStrings } from './data-folder.ts';
import { readDeclarations } from './declarations.ts';
import { explain, Failure } from './failure.ts';
import { MANAGEMENT } from './manage/commands.ts';
import { Operator } from './operator.ts';
import { readOperatorSecret } from './secrets.ts';
import { dataFolder, serviceUrl } from './settings.ts';
import { TRANSFERS } from './transfer/commands.ts';
import { Service } from './transfer/service.ts';

const USAGE = `Usage: npm run app -- <command>

  create <name> [placement]
                       makes an application; prints its id and its first API key; placement: the jurisdiction
                       that its data do not leave (eu, us, …), or a region to be near (weur, enam, apac, …)
  list                 lists applications
  rename <id> <name>   renames an application
  key <id> [name]      makes an API key of an application that permits everything; prints it
  delete <id> [--now] [--yes]
                       ends an application at once and deletes it with everything in it after some days, or now;
                       asks, unless --yes is there
  audit <id> <days>    keeps an audit trail of its changes for so many days; off ends that
  collections <id>     lists the types of an application, and how many documents each has
  users <id>           lists its users and external users
  end-tokens <id> <user>
                       ends all tokens of a user
  delete-documents <id> <type> <filter> [--dry-run] [--yes]
                       deletes the documents that a filter finds: tells how many, then asks
  erase <id> <user> [--dry-run] [--yes]
                       erases a person: tells what there is of them, then asks
  undelete <id>        has an application back that is not yet deleted
  oidc <id> <issuer> <audience>
                       lets users log in with id tokens of an OpenID Connect issuer
  oidc <id> off        ends that
  quota <id> <name>=<number> …
                       limits what an application may use: requests (a second), documents, bytes, types; those
                       that are not named are not limited
  quota <id> off       ends that
  doctor [id]          names rules of API keys and filters of webhooks that would be refused now
  usage <id>           prints what an application uses, by type and by API key
  types <id>           prints the types of an application in TypeScript, for the client
  export <id> [file] [--type <type>] [--tokens]
                       writes all that an application has stored, or one type, as lines of JSON; into a file
                       (compressed if its name ends in .gz) it goes on where it was cut off; with --tokens,
                       users stay logged in where it is imported
  import <file> [--into <id> | --placement <placement>] [--type <type>] [--id <field>]
                       [--link <field>=<type>] [--rename <old>=<new>] [--unchecked]
                       stores what export has written, in the application that the file names, another, or a
                       new one with a placement, which it prints as create does; with --type, what mongoexport,
                       Parse and Firebase write, JSON arrays and CSV become documents of a type, references in the
                       field of --link links, and ids in that of --id ids of ours

  backup <id>          makes a backup of an application in the bucket of the service
  backups <id>         lists the backups of an application
  rewind <id> --at <time>
                       puts an application back to a moment of the last 30 days; on Cloudflare only
  restore <id> [--at <time> | --name <backup>] [--into <id>]
                       stores what a backup holds: the last one, the last one before a time, or the named one;
                       in the application that it is of, or another

Options of those from usage on, but types: --url <address> (as FOREDGE_URL)

Environment:
  FOREDGE_URL      the service (default: the one that npm start runs on DATA_DIR, .foredge)
  OPERATOR_SECRET  the operator secret (default: that of DATA_DIR)`;

const commands: Readonly<Record<string, (operator: Operator, args: readonly string[]) => Promise<void>>> = {
  create: async (operator, [name, placement]) => {
    const { id, apiKey } = await operator.create(required(name, 'a name'), placement);
    console.log(JSON.stringify({ application_id: id, api_key: apiKey }, null, 2));
  },
  list: async (operator) => {
    for (const { id, name, ends } of await operator.list()) {
      console.log(`${id}  ${name}${ends === undefined ? '' : `  (is deleted at ${ends})`}`);
    }
  },
  rename: async (operator, [id, name]) => {
    const renamed = await operator.rename(required(id, 'an id'), required(name, 'a name'));
    console.log(`${renamed.id}  ${renamed.name}`);
  },
  key: async (operator, [id, name = 'key of the operator']) => {
    const application = required(id, 'an id');
    const apiKey = await operator.key(application, name);
    console.log(JSON.stringify({ application_id: application, api_key: apiKey }, null, 2));
  },
  oidc: async (operator, [id, issuer, audience]) => {
    const application = required(id, 'an id');
    const address = required(issuer, 'an issuer, or off');
    const trusted =
      address === 'off' ? null : { issuer: address, audience: required(audience, 'an audience') };
    await operator.trust(application, trusted);
    console.log(`${application}  trusts ${trusted?.issuer ?? 'no issuer'}`);
  },
  quota: async (operator, [id, ...words]) => {
    const application = required(id, 'an id');
    required(words[0], 'quotas such as documents=1000, or off');
    const quotas = words[0] === 'off' ? null : Object.fromEntries(words.map(readQuota));
    await operator.limit(application, quotas);
    console.log(`${application}  ${quotas === null ? 'has no quotas' : words.join('  ')}`);
  },
  ...MANAGEMENT,
  types: async (operator, [id]) => {
    const { typesOf } = await import('./application-types.ts');
    const declarations = await readDeclarations(operator, baseUrl(), required(id, 'an id'));
    process.stdout.write(await typesOf(declarations));
  },
};

/** The service that an option names, or the environment. */
const service = (url: string | undefined) => new Service(url ?? baseUrl(), operatorSecret());

const [command = '', ...args] = process.argv.slice(2);
const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
const transfer = Object.hasOwn(TRANSFERS, command) ? TRANSFERS[command] : undefined;
if (run === undefined && transfer === undefined) {
  const names = [...Object.keys(commands), ...Object.keys(TRANSFERS)];
  if (command !== '') console.error(`There is no command ${shownName(command)}.${offerOf(command, names)}\n`);
  console.error(USAGE);
  process.exit(2);
}
try {
  await (transfer?.(service, args) ?? run?.(new Operator(baseUrl(), operatorSecret()), args));
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function readQuota(word: string): readonly [string, number] {
  const [, name, number] = /^([a-z]+)=([0-9]{1,15})$/.exec(word) ?? [];
  if (name === undefined) throw new Failure(`A quota is written as documents=1000, not ${word}.\n\n${USAGE}`);
  return [name, Number(number)];
}

function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new Failure(`The command needs ${what}.\n\n${USAGE}`);
  return value;
}

function baseUrl(): string {
  const { credentials } = filesOf(dataFolder());
  return serviceUrl() ?? readStrings(credentials, ['base_url'])?.base_url ?? missing('FOREDGE_URL');
}

function operatorSecret(): string {
  return readOperatorSecret(dataFolder()) ?? missing('OPERATOR_SECRET');
}

function missing(variable: string): never {
  throw new Failure(`Set ${variable}, or start a server here with npm start.`);
}
