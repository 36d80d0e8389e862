/** The kinds of definitions of aggregates (spec, Aggregate definition), and of the documents that these make. */
import { inside, placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { isOutputType } from '../../domain/types.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { checkPipeline } from '../../pipeline/pipeline.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { openRaw, showRaw, storedText } from '../documents/body/raw.ts';
import { diagnosticsOfPipeline, fromPipeline } from './run.ts';
import { memberOf } from '../../domain/values/tree.ts';

const REQUIRED = ['input-type', 'output-type', 'pipeline'];
const ATTRIBUTES = placeOf('data', 'attributes');

export const AGGREGATES: DocumentKind = {
  rawAttributes: new Set(['pipeline', 'parameters']),
  // A pipeline depends on its parameters: a PATCH of either is checked together with the other.
  validatesWhole: true,

  validate: ({ attributes }, whole, current) => {
    const definition = { ...current, ...attributes };
    const missing = REQUIRED.filter((name) => memberOf(definition, name) === undefined);
    // Without the document a PATCH cannot be checked here: the write will report it.
    if (missing.length > 0) return whole ? missing.map(missingAttribute) : [];
    return [...checkTypes(definition), ...checkStages(definition)];
  },

  attributes: ({ attributes }) => Promise.resolve(showRaw(showRaw(attributes, 'pipeline'), 'parameters')),
};

export const OUTPUTS: DocumentKind = { readLinked: fromPipeline, diagnostics: diagnosticsOfPipeline };

function missingAttribute(name: string): Problem {
  const pointer = pointerOf(inside(ATTRIBUTES, name));
  return problem('missing-attribute', `The attribute ${name} is required.`, { pointer });
}

function checkTypes(definition: Fields): readonly Problem[] {
  const problems: Problem[] = [];
  const reject = (name: string, detail: string) => {
    problems.push(problem('invalid-attribute', detail, { pointer: pointerOf(inside(ATTRIBUTES, name)) }));
  };
  const output = memberOf(definition, 'output-type');
  if (typeof output !== 'string' || !isOutputType(output)) {
    reject('output-type', 'The output-type must begin with agt. and go on as the name of a type.');
  }
  return problems;
}

function checkStages(definition: Fields): readonly Problem[] {
  const inputType = memberOf(definition, 'input-type');
  const faults = checkPipeline({
    inputType: typeof inputType === 'string' ? inputType : null,
    pipeline: openRaw(storedText(definition, 'pipeline')) as Value,
    ...(memberOf(definition, 'parameters') !== undefined && {
      parameters: openRaw(storedText(definition, 'parameters')) as Value,
    }),
  });
  return faults
    .filter(({ pointer }) => /^\/(?:input-type|pipeline|parameters)(?:\/|$)/.test(pointer))
    .map(({ pointer, detail }) =>
      problem('invalid-attribute', detail, { pointer: `${pointerOf(ATTRIBUTES)}${pointer}` }),
    );
}
