/**
 * Hostile pipelines: refused, failing at a stage, or answered, and never an exception. One without a bound would take
 * hours: the time that a test has ends it.
 */
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import type { HostilePipeline } from '../support/pipeline-hostile-case.ts';
import { valuesOfAuditFields } from '../../src/domain/audit-fields.ts';
import type { Fields } from '../../src/domain/values/values.ts';
import { HOSTILE_PIPELINES } from '../support/pipeline-hostile.ts';
import { LARGE, UNWOUND } from '../support/pipeline-hostile-values.ts';
import { definitionOf, documentOfText, runDefinition } from '../support/pipeline-run.ts';
import { some } from '../support/long.ts';

const DOCUMENTS = Array.from({ length: 20 }, (_, index) =>
  documentOfText(
    JSON.stringify({ zero: 0, two: 2, s: 'x', n: index, day: { $date: '2020-01-01' }, l: [1, 2, 3] }),
    index,
  ),
);

const LARGE_DOCUMENT = {
  zero: 0,
  names: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, 'x'])),
  decimals: Array.from({ length: 500 }, (_, index) => ({
    $numberDecimal: `1.${(index * 7919) % 1000}23456789012345678905`,
  })),
  alike: Array.from({ length: 500 }, (_, index) => [...Array.from({ length: 200 }, () => 0), index]),
};
const LARGE_DOCUMENTS = [
  { ...documentOfText(JSON.stringify(LARGE_DOCUMENT), 0), ...valuesOfAuditFields('1 2 ') },
];

function run({ pipeline, outcome }: HostilePipeline, documents: readonly Fields[] = DOCUMENTS): void {
  const ran = runDefinition(definitionOf(pipeline, null), documents);
  const found = 'refused' in ran ? 'refused' : 'failure' in ran ? 'fails' : 'answered';
  if (outcome === 'either') expect(['fails', 'answered', 'refused']).toContain(found);
  else expect({ ...ran, documents: undefined, found }).toMatchObject({ found: outcome });
  if ('refused' in ran) expect(ran.refused.length).toBeLessThanOrEqual(20);
  if ('failure' in ran) {
    expect(ran.failure.stage).toBeGreaterThanOrEqual(0);
    expect(ran.failure.detail.length).toBeLessThan(500);
  }
  if ('documents' in ran) {
    const size = ran.documents.reduce((sum, { attributes }) => sum + encodeText(attributes).length, 0);
    expect(size).toBeLessThan(64 * 1024 * 1024);
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
}

describe('a hostile pipeline', () => {
  it.each(some(HOSTILE_PIPELINES, 4).map((each) => [each.name, each] as const))('%s', (_name, each) => {
    run(each);
  });

  it.each(some([...LARGE, ...UNWOUND], 4).map((each) => [each.name, each] as const))('%s', (_name, each) => {
    run(each, LARGE_DOCUMENTS);
  });

  it('keeps no more in names than in texts', () => {
    const documents = Array.from({ length: 40 }, (_, n) =>
      documentOfText(JSON.stringify({ by: { ['k'.repeat(900_000) + String(n)]: n } }), n),
    );
    const pipeline = '[{"group": {"id": null, "all": {"$push": "$by"}}}]';
    run({ name: 'long names', pipeline, outcome: 'fails' }, documents);
  });

  it('comes in at least sixty forms', () => {
    expect(HOSTILE_PIPELINES.length).toBeGreaterThanOrEqual(60);
  });
});
