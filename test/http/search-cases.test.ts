/** Filter cases through the API: of the table that the matcher is tested with, one in twelve in the short form. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { FILTER_CASES } from '../support/filter-cases.ts';
import { some } from '../support/long.ts';
import { crowd } from '../support/crowd.ts';
import { listPath } from '../support/search.ts';

/** Cases that share their documents share a type. */
const byDocuments = [...Map.groupBy(FILTER_CASES, ({ documents }) => documents.join('\n')).values()];

const client = await Client.create();

describe.each(byDocuments.map((cases, index) => [cases[0]?.group ?? '', `cases-${index}`, cases] as const))(
  '%s (%s)',
  (_group, type, cases) => {
    let ids: readonly string[] = [];
    beforeAll(async () => {
      ids = await crowd(client, type, cases[0]?.documents ?? []);
    });

    test.each(some(cases, 12, 'whole').map((each) => [each.behaviour, each] as const))(
      '%s',
      async (_behaviour, each) => {
        const reply = await client.get(listPath(type, each.parameters, { 'page[limit]': '1000' }));
        if ('pointer' in each.expect) {
          expect(reply.status).toBe(400);
          expect(reply.body.errors.map(({ code }) => code)).toContain('invalid-filter');
          expect(reply.body.errors.map(({ meta }) => meta?.['pointer'])).toContain(each.expect.pointer);
          return;
        }
        expect(reply.status).toBe(200);
        const matches = reply.body.data.map(({ id }) => ids.indexOf(id)).sort((a, b) => a - b);
        expect(matches).toEqual(each.expect.matches);
        expect(reply.body.meta.count).toBe(each.expect.matches.length);
      },
    );
  },
);
