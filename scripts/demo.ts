/**
 * `npm run demo`: loads films and cars (the npm package vega-datasets) into the running server, through the client as
 * any program would, and prints three queries worth trying. `--again` loads them once more beside what is there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, ForedgeError, type Database, type Target, type Untyped } from '../src/client/index.ts';
import { CREDENTIALS, filesOf, readStrings, type Credentials } from './data-folder.ts';
import { carDrafts, movieDrafts, type Draft } from './demo-data.ts';
import { Failure, orEnd } from './failure.ts';
import { dataFolder } from './settings.ts';
import { Progress } from './transfer/progress.ts';

/** Operations in one list. */
const LIST = 200;

await orEnd(() => run(readCredentials()));

async function run(credentials: Credentials): Promise<void> {
  const { base_url: url, application_id: application, api_key: key } = credentials;
  const db = connect({ url, application, key });
  const drafts = [...movieDrafts(dataSet('movies.json')), ...carDrafts(dataSet('cars.json'))];
  const types = [...new Set(drafts.map(({ type }) => type))];
  const counts = await Promise.all(types.map((type) => db.list(type).count())).catch((error: unknown) => {
    if (!(error instanceof ForedgeError && error.status === 0)) throw error;
    throw new Failure(`There is no server at ${url}: run npm start first.`, { cause: error });
  });
  const held = types.flatMap((type, index) => (counts[index] === 0 ? [] : `${counts[index]} ${type}`));
  if (held.length > 0 && !process.argv.includes('--again')) {
    console.log(`The application already holds ${held.join(', ')}: nothing was loaded.`);
    console.log('To load the data once more beside them: npm run demo -- --again');
  } else {
    await load(db, drafts);
  }
  printQueries(credentials);
}

/** Creates the documents, each after those that it links to. */
async function load(db: Database<Untyped>, drafts: readonly Draft[]): Promise<void> {
  const started = performance.now();
  const progress = new Progress(process.stdout);
  const ordered = drafts.toSorted((one, other) => one.level - other.level);
  const made = new Map<string, Target<string>>();
  for (let at = 0; at < ordered.length; at += LIST) {
    const list = ordered.slice(at, at + LIST);
    const documents = await db.transaction((tx) => {
      for (const { type, key, attributes, links } of list) {
        const linked = Object.entries(links).map(([name, link]) => [name, made.get(link.key)] as const);
        made.set(key, tx.create(type, { ...attributes, ...Object.fromEntries(linked) }));
      }
    });
    for (const [index, { key }] of list.entries()) {
      const document = documents[index];
      if (document) made.set(key, document);
    }
    progress.show('', at / ordered.length, at + list.length);
  }
  progress.end();
  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round(drafts.length / seconds);
  console.log(`${drafts.length} documents in ${seconds.toFixed(1)} seconds, ${rate} a second.`);
}

function printQueries({ base_url, application_id, api_key }: Credentials): void {
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
      `curl -sG '${base_url}/resources/${type}'`,
      `-H 'application-id: ${application_id}'`,
      `-H 'api-key: ${api_key}'`,
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
