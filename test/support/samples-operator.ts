/** Valid requests to the endpoints of the operator. */
import { inject } from 'vitest';
import { operator, type Client } from './client.ts';
import { makeExternalUser } from './people.ts';
import type { Sample } from './sample.ts';

type Samples = Readonly<Record<string, () => Promise<Sample>>>;

const APPLICATIONS = '/applications/core.application';

export const byOperator = (): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${inject('operatorSecret')}`,
});

const ofOne = (application: string, rest: string, more: Omit<Sample, 'address'> = {}): Sample => ({
  address: `${APPLICATIONS}/${application}${rest}`,
  ...more,
  headers: { ...byOperator(), ...more.headers },
});

const fresh = async () => (await operator().create('sample')).id;

/** `file` makes a file of the application, and gives its id. */
export function operatorSamples(client: Client, file: () => Promise<string>): Samples {
  const data = { type: 'core.application', attributes: { name: 'x' } };
  const line = { type: 'things', id: 'a'.repeat(24) };
  const key = { type: 'core.api-key', attributes: { name: 'x', permissions: [] } };
  return {
    [APPLICATIONS]: () =>
      Promise.resolve({ address: APPLICATIONS, bodies: { POST: { data } }, headers: byOperator() }),
    [`${APPLICATIONS}/{id}`]: async () => {
      const id = await fresh();
      return ofOne(id, '', { bodies: { PATCH: { data: { ...data, id, attributes: { name: 'y' } } } } });
    },
    ...ofFresh('/types'),
    ...Object.fromEntries(
      ['', '/{user}/tokens', '/{user}/data'].map((rest) => [
        `${APPLICATIONS}/{id}/users/{type}${rest}`,
        async () => {
          const { link } = await makeExternalUser(client);
          return ofOne(client.application, `/users/${link.type}${rest.replace('{user}', link.id)}`);
        },
      ]),
    ),
    [`${APPLICATIONS}/{id}/resources/{type}`]: () =>
      Promise.resolve(
        ofOne(client.application, '/resources/things', {
          bodies: { DELETE: { meta: { limit: 1000 } } },
          queries: { DELETE: '?filter[never]=1' },
        }),
      ),
    ...ofFresh('/deletion'),
    ...ofFresh('/findings'),
    ...ofFresh('/usage'),
    ...ofFresh('/requests'),
    [`${APPLICATIONS}/{id}/documents/{type}`]: async () =>
      ofOne(await fresh(), '/documents/things', {
        bodies: { POST: line },
        queries: { GET: '?page[after]=' },
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    [`${APPLICATIONS}/{id}/contents/{name}`]: async () =>
      ofOne(client.application, `/contents/${await file()}`, {
        bodies: { POST: 'Hello' },
        headers: { 'content-type': 'text/plain' },
      }),
    ...ofFresh('/contents', { bodies: { POST: { meta: {} } } }),
    ...ofFresh('/backups'),
    [`${APPLICATIONS}/{id}/backups/{name}`]: async () => {
      const id = await fresh();
      const headers = byOperator();
      const made = await client.send('POST', `${APPLICATIONS}/${id}/backups`, { headers });
      return ofOne(id, `/backups/${String(made.body.meta['backup'])}`);
    },
    ...ofFresh('/api-keys', { bodies: { POST: { data: key } } }),
  };
}

/** What is asked of an application of its own. */
function ofFresh(rest: string, more?: Omit<Sample, 'address'>): Samples {
  return { [`${APPLICATIONS}/{id}${rest}`]: async () => ofOne(await fresh(), rest, more) };
}
