/** Every pipeline case on the pipeline alone. The same cases run through HTTP elsewhere. */
import { describe, expect, it } from 'vitest';
import { PIPELINE_CASES } from '../support/pipeline-cases.ts';
import type { PipelineCase } from '../support/pipeline-case.ts';
import { definitionOf, documentOfText, runDefinition, shown, shownWithId } from '../support/pipeline-run.ts';

function run({ documents, pipeline, parameters, expect: expected }: PipelineCase): void {
  const ran = runDefinition(definitionOf(pipeline, parameters), documents.map(documentOfText));
  if ('refused' in expected)
    expect(ran).toEqual({ refused: expect.arrayContaining([expected.refused]) as unknown });
  else if ('fails' in expected) expect(ran).toMatchObject({ failure: { stage: expected.fails } });
  else {
    expect(ran).toHaveProperty('documents');
    if (!('documents' in ran)) return;
    const withId = expected.outputs.some((output) => output.startsWith('{"id":'));
    expect(ran.documents.map(withId ? shownWithId : shown)).toEqual(expected.outputs);
  }
}

describe.each([...Map.groupBy(PIPELINE_CASES, (each) => each.group)])('%s', (_group, list) => {
  it.each(list.map((each) => [each.behaviour, each] as const))('%s', (_behaviour, each) => {
    run(each);
  });
});

it('has at least three hundred and fifty cases, no two of one name', () => {
  expect(PIPELINE_CASES.length).toBeGreaterThanOrEqual(350);
  const named = new Set(PIPELINE_CASES.map((each) => `${each.group}: ${each.behaviour}`));
  expect(named.size).toBe(PIPELINE_CASES.length);
});
