/** Pipeline cases through the API: of the table that tests the pipeline alone, one in twelve in the short form. */
import { describe, expect, test } from 'vitest';
import { outputsPath } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { some } from '../support/long.ts';
import { PIPELINE_CASES } from '../support/pipeline-cases.ts';
import type { PipelineCase } from '../support/pipeline-case.ts';
import { crowd } from '../support/crowd.ts';

const CASES = [...Map.groupBy(PIPELINE_CASES, ({ group }) => group).values()].flatMap((list) =>
  some(list, 12, 'whole'),
);

/** Cases that share their documents share a type. */
const types = new Map<string, string>();
for (const { documents } of CASES) {
  const key = documents.join('\n');
  if (!types.has(key)) types.set(key, `cases-${types.size}`);
}
const numbered = CASES.map((each, index) => ({ ...each, name: `case-${index}` }));

const client = await Client.create();
const waiting = [...types];
const worker = async (): Promise<void> => {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [key, type] = next;
    await crowd(client, type, key === '' ? [] : key.split('\n'));
  }
};
await Promise.all(Array.from({ length: 8 }, worker));

/** The definition of a case, its JSON as it stands there. */
function body(name: string, { documents, pipeline, parameters }: PipelineCase): string {
  const type = types.get(documents.join('\n')) ?? '';
  const more = parameters === null ? '' : `,"parameters":${parameters}`;
  const attributes = `"input-type":"${type}","output-type":"agt.${name}","pipeline":${pipeline}${more}`;
  return `{"data":{"type":"core.aggregate","attributes":{${attributes}}}}`;
}

/** The attributes of each document as text, with its id in front if asked for. */
function outputsOf({ text }: Reply, withId: boolean): readonly string[] {
  const exact = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? JSON.rawJSON(context?.source ?? String(value)) : value;
  const { data } = JSON.parse(text, exact) as {
    readonly data: readonly { id: string; attributes?: object }[];
  };
  return data.map(({ id, attributes }) => JSON.stringify({ ...(withId && { id }), ...attributes }));
}

describe.each([...Map.groupBy(numbered, ({ group }) => group)])('%s', (_group, list) => {
  test.each(list.map((each) => [each.behaviour, each] as const))('%s', async (_behaviour, each) => {
    const { name, expect: expected } = each;
    const made = await client.post('/aggregates/core.aggregate', body(name, each));
    if ('refused' in expected) {
      expect(made.status, made.text).toBe(422);
      expect(made.body.errors.map(({ source }) => source?.pointer)).toContain(
        `/data/attributes${expected.refused}`,
      );
      return;
    }
    expect(made.status, made.text).toBe(201);
    const reply = await client.get(outputsPath(name, { 'page[limit]': '1000' }));
    if ('fails' in expected) {
      expect(reply.status, reply.text).toBe(422);
      expect(reply.body.errors[0]?.meta?.['stage']).toBe(expected.fails);
      return;
    }
    expect(reply.status, reply.text).toBe(200);
    const withId = expected.outputs.some((output) => output.startsWith('{"id":'));
    expect(outputsOf(reply, withId)).toEqual(expected.outputs);
    expect(reply.body.meta.count).toBe(expected.outputs.length);
  });
});

test('there are at least 250 cases', () => {
  expect(PIPELINE_CASES.length).toBeGreaterThanOrEqual(250);
});
