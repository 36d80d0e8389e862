/** From the texts of a request to a pipeline that is ready to run. */
import { sentenceOf, type Detail } from '../../domain/names.ts';
import { parseJson } from '../../domain/values/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { stepsOf } from '../../domain/pointer.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { readValue } from '../../domain/values/wrappers.ts';
import { compilePipeline, type CompiledPipeline, type Definition } from '../../pipeline/pipeline.ts';
import type { Texts } from '../rpc/results.ts';

/** The definition was checked before: a fault is in `parameters[<name>]` of the request, if it has any. */
export function compile(request: Texts, inputType: string): Outcome<CompiledPipeline> {
  const definition: Definition = {
    inputType,
    pipeline: openText(request.pipeline),
    ...(request.parameters !== null && { parameters: openText(request.parameters) }),
  };
  const given = new Map<string, Value>();
  for (const [name, text] of Object.entries(request.overrides)) {
    const value = readParameter(name, text);
    if (!value.ok) return value;
    given.set(name, value.value);
  }
  const compiled = compilePipeline(definition, given);
  if (compiled.ok) return ok(compiled.pipeline);
  const [fault] = compiled.faults;
  // Of a stored definition that is refused now.
  if (given.size === 0) return failure(stageAt(fault?.pointer), fault?.detail ?? 'It is refused.');
  const name = fault === undefined ? null : parameterAt(fault.pointer, definition, [...given.keys()]);
  return badParameter(name, fault?.detail ?? 'The parameters do not fit the pipeline.');
}

/** A fault that is not the request's names its stage (decisions, section 5). */
export function failure(stage: number, detail: string) {
  return fail('pipeline-failed', `Stage ${stage} of the pipeline: ${detail}`, undefined, { stage });
}

function stageAt(pointer = ''): number {
  const [, , index] = pointer.split('/');
  return pointer.startsWith('/pipeline/') ? Number(index) : 0;
}

/**
 * Which given parameter a fault is about: the one that it points to, or one used where it points to; null without any.
 */
function parameterAt(pointer: string, { pipeline }: Definition, given: readonly string[]): string | null {
  const [attribute, ...steps] = stepsOf(pointer);
  if (attribute === 'parameters') return steps[0] ?? null;
  let place: Value = pipeline;
  for (const step of steps) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) break;
    place = (place as Fields)[step] ?? null;
  }
  const text = JSON.stringify(place);
  return given.find((name) => text.includes(`$$parameters.${name}`)) ?? given[0] ?? null;
}

/** A parameter of the query: JSON whose wrappers are read; undefined for text that is not JSON. */
function readParameter(name: string, text: string): Outcome<Value> {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok)
    return badParameter(name, parsed.reason === 'syntax' ? 'The parameter is no JSON value.' : parsed.detail);
  const faults: Detail[] = [];
  const value = readValue(parsed.value, null, (_place, detail) => {
    faults.push(detail);
  });
  const [fault] = faults;
  return fault === undefined ? ok(value) : badParameter(name, sentenceOf(fault));
}

function badParameter(name: string | null, detail: string) {
  const parameter = name === null ? 'parameters' : `parameters[${name}]`;
  return fail('invalid-parameter', detail, { parameter });
}

/** The JSON of a raw attribute, as a value whose wrappers the pipeline reads. */
function openText(text: string): Value {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) throw new Error('A stored pipeline is no JSON.');
  // Numbers that no value can hold became null when the attribute was stored.
  return parsed.value as Value;
}
