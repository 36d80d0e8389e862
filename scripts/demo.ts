/**
 * `npm run demo`: loads films and cars (the npm package vega-datasets) into the running server, through the API as any
 * client would, and prints three queries worth trying. `--again` loads them once more beside what is there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIALS, filesOf, readStrings, type Credentials } from './data-folder.ts';
import { explain, Failure } from './failure.ts';
import { carDrafts, movieDrafts, type Draft, type Link } from './demo-data.ts';
import { dataFolder } from './settings.ts';

const CONCURRENCY = 2;
/** Operations in one list. */
const LIST = 200;
const BAR = 40;

const credentials = orEnd(readCredentials);
const headers = {
  'application-id': credentials.application_id,
  'api-key': credentials.api_key,
  'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
};

try {
  await run();
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

/** What a step gives; ends the command with a line where it fails. */
function orEnd<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

async function run(): Promise<void> {
  const drafts = [...movieDrafts(dataSet('movies.json')), ...carDrafts(dataSet('cars.json'))];
  const types = [...new Set(drafts.map(({ type }) => type))];
  const counts = await Promise.all(types.map(async (type) => [type, await countOf(type)] as const));
  const held = counts.filter(([, count]) => count > 0).map(([type, count]) => `${count} ${type}`);
  if (held.length > 0 && !process.argv.includes('--again')) {
    console.log(`The application already holds ${held.join(', ')}: nothing was loaded.`);
    console.log('To load the data once more beside them: npm run demo -- --again');
  } else {
    await load(drafts);
  }
  printQueries();
}

/** Creates the documents in the order given, but for those whose links are not there yet. */
async function load(drafts: readonly Draft[]): Promise<void> {
  const started = performance.now();
  const progress = progressOf(drafts.length);
  const ids = new Map<string, string>();
  // A document comes after those it links to: level by level, the lists of each level in parallel.
  const levels = Map.groupBy(drafts, ({ level }) => level);
  for (const level of [...levels.keys()].sort((one, other) => one - other)) {
    const waiting = listsOf(levels.get(level) ?? []);
    const work = async (): Promise<void> => {
      for (let list = waiting.shift(); list !== undefined; list = waiting.shift()) {
        const made = await createAll(list, ids);
        for (const [index, { key }] of list.entries()) ids.set(key, made[index] ?? '');
        progress.step(list.length);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }
  progress.end();
  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round(drafts.length / seconds);
  console.log(`${drafts.length} documents in ${seconds.toFixed(1)} seconds, ${rate} a second.`);
}

/** The documents in lists of operations: each is of one type. */
function listsOf(drafts: readonly Draft[]): (readonly Draft[])[] {
  const byType = Map.groupBy(drafts, ({ type }) => type);
  return Array.from(byType.values()).flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / LIST) }, (_, n) => all.slice(n * LIST, (n + 1) * LIST)),
  );
}

/** Creates documents of one type, all or none, and gives their ids in order. */
async function createAll(
  drafts: readonly Draft[],
  ids: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const operations = drafts.map(({ type, attributes, links }) => {
    const relationships = Object.fromEntries(
      Object.entries(links).map(([name, { type: target, key }]: readonly [string, Link]) => [
        name,
        { data: { type: target, id: ids.get(key) } },
      ]),
    );
    return { op: 'add', data: { type, attributes, relationships } };
  });
  // Nothing but the ids is of use here: no fields are asked for.
  const type = drafts[0]?.type ?? '';
  const answer = (await call(`/operations?fields[${type}]=`, { 'atomic:operations': operations })) as {
    readonly 'atomic:results': readonly { readonly data: { readonly id: string } }[];
  };
  return answer['atomic:results'].map(({ data }) => data.id);
}

async function countOf(type: string): Promise<number> {
  const { meta } = (await call(`/resources/${type}?page%5Blimit%5D=1`)) as {
    readonly meta: { readonly count: number };
  };
  return meta.count;
}

/** A GET, or a POST when there is a body. Anything but success is an error that says what the service said. */
async function call(path: string, body?: unknown): Promise<unknown> {
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${credentials.base_url}${path}`, { headers, ...request }).catch(
    (error: unknown) => {
      throw new Failure(`There is no server at ${credentials.base_url}: run npm start first.`, {
        cause: error,
      });
    },
  );
  const text = await response.text();
  if (!response.ok) throw new Failure(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** A bar on a terminal; a line for each tenth elsewhere. */
function progressOf(total: number): { readonly step: (by: number) => void; readonly end: () => void } {
  const terminal = process.stdout.isTTY;
  const parts = terminal ? total : 10;
  let done = 0;
  let shown = 0;
  const show = (): void => {
    const text = `${done} of ${total}`;
    if (!terminal) {
      console.log(text);
      return;
    }
    const full = Math.round((done / total) * BAR);
    process.stdout.write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${text}`);
  };
  return {
    step: (by) => {
      done += by;
      const part = Math.floor((done / total) * parts);
      if (part > shown) show();
      shown = part;
    },
    end: () => {
      if (terminal) process.stdout.write('\n');
    },
  };
}

function printQueries(): void {
  const queries: readonly (readonly [title: string, path: string, parameters: readonly string[]])[] = [
    [
      'The five best films of those that many have judged, with their directors:',
      'movies',
      [
        'filter[imdbVotes]={"$gte": 100000}',
        'sort=-imdb',
        'page[limit]=5',
        'include=director',
        'fields[movies]=title,imdb,released,director',
      ],
    ],
    [
      'Comedies and musicals of the sixties, the oldest first:',
      'movies',
      [
        'filter[genre]={"$in": ["Comedy", "Musical"]}',
        'filter[released]={"$gte": {"$date": "1960-01-01"}, "$lt": {"$date": "1970-01-01"}}',
        'sort=released',
        'fields[movies]=title,released,genre',
      ],
    ],
    [
      'Strong cars that drink little, with their makers and where these are at home:',
      'cars',
      [
        'filter[*]={"$and": [{"milesPerGallon": {"$gt": 30}}, {"horsepower": {"$gte": 90}}]}',
        'sort=-horsepower,name',
        'include=maker.region',
        'fields[cars]=name,horsepower,milesPerGallon,maker',
      ],
    ],
  ];
  console.log('\nThree queries worth trying:');
  for (const [title, type, parameters] of queries) {
    const lines = [
      `curl -sG '${credentials.base_url}/resources/${type}'`,
      `-H 'application-id: ${credentials.application_id}'`,
      `-H 'api-key: ${credentials.api_key}'`,
      ...parameters.map((each) => `--data-urlencode '${each}'`),
    ];
    console.log(`\n${title}\n\n  ${lines.join(' \\\n    ')}`);
  }
  console.log();
}

function dataSet(name: string): unknown {
  const file = join(import.meta.dirname, '../node_modules/vega-datasets/data', name);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readCredentials(): Credentials {
  const file = filesOf(dataFolder()).credentials;
  const credentials = readStrings(file, CREDENTIALS);
  if (credentials !== null) return credentials;
  throw new Failure(`There is no ${file}: run npm start first, in another terminal, and leave it running.`);
}
