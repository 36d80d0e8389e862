/** Runs pipelines over documents as requests send them. */
import { sentenceOf } from '../../src/domain/names.ts';
import { parseJson, type Parsed } from '../../src/domain/values/json.ts';
import { present } from '../../src/domain/values/present.ts';
import { isFields, ObjectId, type Fields, type Value } from '../../src/domain/values/values.ts';
import { readValue } from '../../src/domain/values/wrappers.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { textMatcher } from '../../src/query/text/search.ts';
import {
  checkPipeline,
  compilePipeline,
  type AggregateDocument,
  type Definition,
  type Failure,
  type RunOptions,
} from '../../src/pipeline/pipeline.ts';

/** A JSON text as a value, wrappers read; names that only operators have may stay. */
function valueOfText(text: string): Value {
  const value: Value = parsedOf(text) as Value;
  return value;
}

function parsedOf(text: string): Parsed {
  const parsed = parseJson(text, 200);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

/** A document's fields as pipelines see them, with an id made of its position. */
export function documentOfText(text: string, position: number): Fields {
  const value = readValue(parsedOf(text), null, (_place, detail) => {
    throw new Error(sentenceOf(detail));
  });
  if (!isFields(value)) throw new Error('not an object');
  return { id: new ObjectId((position + 1).toString(16).padStart(24, '0')), type: 'thing', ...value };
}

export function definitionOf(pipeline: string, parameters: string | null): Definition {
  const rest = parameters === null ? {} : { parameters: valueOfText(parameters) };
  return { inputType: 'thing', pipeline: valueOfText(pipeline), ...rest };
}

export type Ran =
  | { readonly refused: readonly string[] }
  | { readonly failure: Failure }
  | { readonly documents: readonly AggregateDocument[] };

/** Checks, compiles and runs a definition as the service does: the leading filters first, then the rest. */
export function runDefinition(
  definition: Definition,
  documents: readonly Fields[],
  options: Partial<RunOptions> = {},
): Ran {
  const faults = checkPipeline(definition);
  if (faults.length > 0) return { refused: faults.map(({ pointer }) => pointer) };
  const compiled = compilePipeline(definition, new Map());
  if (!compiled.ok) return { refused: compiled.faults.map(({ pointer }) => pointer) };
  const { pipeline } = compiled;
  const { leading } = pipeline;
  const matches = leading === null ? () => true : compileMatcher(leading, { text: textMatcher });
  const result = pipeline.run(documents.filter(matches), options);
  if (!result.ok) return { failure: result };
  const shaped = pipeline.documentsOf(result.outputs);
  return shaped.ok ? { documents: shaped.documents } : { failure: shaped };
}

/** A document as JSON text of its attributes as answers show them, with its id in front. */
export function shownWithId({ id, attributes }: AggregateDocument): string {
  return JSON.stringify(present({ id, ...attributes }));
}

export function shown({ attributes }: AggregateDocument): string {
  return JSON.stringify(present(attributes));
}
