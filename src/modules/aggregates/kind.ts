/** The kinds of definitions of aggregates (spec, Aggregate definition), and of the documents that these make. */
import type { Problem } from '../../domain/problems.ts';
import { CORE, isOutputType } from '../../domain/types.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { checkPipeline } from '../../pipeline/pipeline.ts';
import { attributesOf } from '../contents/own-types.ts';
import { faultAt, missing } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { openRaw, storedText } from '../documents/body/raw.ts';
import { diagnosticsOfPipeline, fromPipeline } from './run.ts';
import { memberOf, textAt } from '../../domain/values/tree.ts';

export const AGGREGATES: DocumentKind = {
  raw: { pipeline: 'whole', parameters: 'whole' },
  // A pipeline depends on its parameters: a PATCH of either is checked together with the other.
  validatesWhole: true,

  validate: ({ attributes }, whole, current) => {
    const definition = { ...current, ...attributes };
    const absent = attributesOf(CORE.aggregate).filter(
      ({ name, isRequired }) => isRequired && memberOf(definition, name) === undefined,
    );
    // Without the document a PATCH cannot be checked here: the write will report it.
    if (absent.length > 0) return whole ? absent.map(({ name }) => missing(name)) : [];
    return [...checkTypes(definition), ...checkStages(definition)];
  },
};

export const OUTPUTS: DocumentKind = { readLinked: fromPipeline, diagnostics: diagnosticsOfPipeline };

function checkTypes(definition: Fields): readonly Problem[] {
  if (isOutputType(textAt(definition, 'output-type') ?? '')) return [];
  return [faultAt('/output-type', 'The output-type must begin with agt. and go on as the name of a type.')];
}

function checkStages(definition: Fields): readonly Problem[] {
  const faults = checkPipeline({
    inputType: textAt(definition, 'input-type') ?? null,
    pipeline: openRaw(storedText(definition, 'pipeline')) as Value,
    ...(memberOf(definition, 'parameters') !== undefined && {
      parameters: openRaw(storedText(definition, 'parameters')) as Value,
    }),
  });
  return faults
    .filter(({ pointer }) => /^\/(?:input-type|pipeline|parameters)(?:\/|$)/.test(pointer))
    .map(({ pointer, detail }) => faultAt(pointer, detail));
}
