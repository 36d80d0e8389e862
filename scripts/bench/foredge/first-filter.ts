/** How long a search takes that nothing is prepared for, and how long it makes others wait. */
import { PAGE } from '../contender.ts';
import { FRESH_FIELDS, FRESH_VALUES } from '../data.ts';
import { Connections } from '../load.ts';
import type { FirstFilter } from '../run.ts';
import { median } from '../stats.ts';
import { bodyOf, headersOf, searchPath, type Credentials } from './api.ts';
import type { Loaded } from './data.ts';

export async function firstFilters(credentials: Credentials, loaded: Loaded): Promise<FirstFilter> {
  const client = new Connections(credentials.url, 2);
  const headers = headersOf(credentials);
  const times: number[] = [];
  let done = false;
  const search = async () => {
    for (const field of FRESH_FIELDS) {
      const query = { [`filter[extra.${field}]`]: String(FRESH_VALUES / 2), 'page[limit]': String(PAGE) };
      const started = performance.now();
      const answer = await client.exchange({ method: 'GET', path: searchPath('places', query), headers });
      times.push(performance.now() - started);
      if (bodyOf(answer.text).meta?.count === undefined) throw new Error('The answer has no count.');
    }
    done = true;
  };
  let pause = 0;
  const read = async () => {
    for (let index = 0; !done; index += 1) {
      const id = loaded.places[index % loaded.places.length] ?? '';
      const started = performance.now();
      await client.exchange({ method: 'GET', path: `/resources/places/${id}`, headers });
      pause = Math.max(pause, performance.now() - started);
    }
  };
  await Promise.all([search().finally(() => (done = true)), read()]);
  client.close();
  return { p50: median(times), pause };
}
