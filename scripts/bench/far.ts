/**
 * `npm run bench -- --far <milliseconds>`: how often an operation goes to an object and back before it answers. Each call
 * takes so long that its own work does not count, and the time of an operation is the number of calls one after the other.
 */
import { join } from 'node:path';
import { Operator } from '../operator.ts';
import { startRuntime } from '../runtime.ts';
import { createOne, creation, headersOf, MEDIA_TYPE, type Credentials } from './foredge/api.ts';
import { Connections, type Answer, type Exchange } from './load.ts';
import { machineLine } from './report.ts';
import { markdownTable, percentile, short } from './stats.ts';

/** Requests of each operation. */
const REPEATS = 15;
const SECRET = 'o'.repeat(40);
const PASSWORD = 'a good secret';

/** Operations by their names: the request with a number. */
type Operations = Readonly<Record<string, (index: number) => Exchange>>;

/** Runs the operations. The report. */
export async function runFar(far: number): Promise<string> {
  const runtime = await startRuntime({
    port: 0,
    data: null,
    entry: join(import.meta.dirname, 'far/worker.ts'),
    settings: { FAR: String(far) },
    secrets: { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: SECRET },
    log: () => undefined,
  });
  try {
    const rows: string[][] = [];
    for (const [name, next] of Object.entries(await operationsOn(runtime.url))) {
      const p50 = await median(runtime.url, next);
      rows.push([name, short(p50), short(p50 / far)]);
      console.error(`  ${name}: ${short(p50)} ms`);
    }
    const head = ['Operation', 'p50, ms', 'calls one after the other'];
    return `${machineLine([])}\n\nEach call of an object takes ${far} ms.\n\n${markdownTable(head, rows)}\n`;
  } finally {
    await runtime.stop();
  }
}

async function operationsOn(url: string): Promise<Operations> {
  const operator = new Operator(url, SECRET);
  const { id, apiKey } = await operator.create('far');
  const permissions = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete'], acl: { active: true } }];
  const secured = await operator.keyWith(id, 'secured', permissions);
  const trusted: Credentials = { url, application: id, key: apiKey, operator: SECRET };
  const credentials: Credentials = { ...trusted, key: secured.apiKey };
  const user = { type: 'core.user', attributes: { username: 'ada', password: PASSWORD } };
  await createOne(trusted, user, '/users/core.user');
  const token = await logIn(trusted);
  const note = { type: 'notes', attributes: { n: 1 } };
  const own = (await createOne(credentials, note, undefined, token)).data;
  const free = (await createOne(trusted, note)).data;
  const asTrusted = headersOf(trusted);
  const asUser = headersOf(credentials, token);
  const get = (path: string, headers: Record<string, string>): Exchange => ({ method: 'GET', path, headers });
  const patch = (of: string, headers: Record<string, string>, n: number): Exchange => ({
    method: 'PATCH',
    path: `/resources/notes/${of}`,
    headers,
    body: JSON.stringify({ data: { type: 'notes', id: of, attributes: { n } } }),
  });
  return {
    'Read a document': () => get(`/resources/notes/${free.id}`, asTrusted),
    'Read a document with a user token': () => get(`/resources/notes/${own.id}`, asUser),
    'List documents with a user token': () => get('/resources/notes', asUser),
    'Create a document': () => creation(asTrusted, note),
    'Create a document with a user token': () => creation(asUser, note),
    'Change a document with a user token': (index) => patch(own.id, asUser, index),
  };
}

async function logIn({ url, application, key }: Credentials): Promise<string> {
  const response = await fetch(`${url}/users/core.user.token`, {
    method: 'POST',
    headers: {
      'application-id': application,
      'api-key': key,
      'content-type': MEDIA_TYPE,
      authorization: `Basic ${btoa(`ada:${PASSWORD}`)}`,
    },
  });
  const { data } = await response.json<{ data: { attributes: { token: string } } }>();
  return data.attributes.token;
}

async function median(url: string, next: (index: number) => Exchange): Promise<number> {
  const client = new Connections(url, 1);
  const times: number[] = [];
  // The first one tells the session and KV of the token.
  await client.exchange(next(0));
  for (let index = 1; index <= REPEATS; index += 1) {
    const begun = performance.now();
    const answer: Answer = await client.exchange(next(index));
    if (answer.status < 300) times.push(performance.now() - begun);
  }
  client.close();
  return percentile(
    times.toSorted((one, other) => one - other),
    0.5,
  );
}
