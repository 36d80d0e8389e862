/** Reads definitions into stages. No other module reads or refuses them. */
import { coreTypesThat, typeInfo } from '../domain/types/facts.ts';
import { LIMITS, TOLD, WORK } from '../domain/limits.ts';
import { offerOf, oneOf, sentenceOf, shownName, unknownName, type Detail } from '../domain/names.ts';
import { inside, pointerOf, type Place } from '../domain/pointer.ts';
import { deeperThan, isFields, type Value } from '../domain/values/values.ts';
import { CONTEXT, NAMES } from '../operators/context.ts';
import type { Condition } from '../operators/filter/conditions.ts';
import { fieldsOfCondition } from '../operators/filter/map.ts';
import { allOf } from '../operators/filter/scope.ts';
import type { Scope } from '../operators/core/expression.ts';
import { Meter } from '../operators/core/meter.ts';
import { readParameters } from '../operators/core/parameters.ts';
import { parseExpression } from '../operators/core/parse.ts';
import { OTHER_NAMES, REFUSED_STAGES } from '../operators/core/refused.ts';
import { Reads } from './reads.ts';
import { orderOf, readFilter, startFilter } from '../operators/stages/filter.ts';
import { ALL_ATTRIBUTES, readOutput, type OutputShape } from './output.ts';
import { remakesOf, type At, type FieldPath, type Stage } from '../operators/stages/stage.ts';
import { STAGES } from '../operators/stages/table.ts';
import { isList } from '../domain/values/tree.ts';

/** An aggregate definition, its attributes as values. Wrappers may be read already, or be as they were written. */
export interface Definition {
  /** Null for what is no name of a type. */
  readonly inputType: string | null;
  readonly pipeline: Value;
  readonly parameters?: Value;
}

/** A fault, with a JSON pointer into the definition's attributes. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

export interface Placed {
  readonly index: number;
  readonly stage: Stage;
}

export interface ReadPipeline {
  readonly faults: readonly Fault[];
  /** The first filters as one condition; null without any. The stages go on from there. */
  readonly leading: Condition | null;
  readonly stages: readonly Placed[];
  readonly shape: OutputShape;
  /** The place of the last stage: faults of the outputs name it. */
  readonly last: number;
  /** True when the same documents may give other outputs another time. */
  readonly changing: boolean;
  /** The fields of the input that the stages look at; null for all. What `leading` looks at is not among them. */
  readonly fields: ReadonlySet<string> | null;
  /** Whether they look at what the service knows of a document (domain/audit-fields.ts). */
  readonly auditFields: boolean;
}

/** For working out constants, over the whole definition. */
const FOLDING = { work: WORK.pipelineConstants, held: 1024 * 1024 };

export function readDefinition(definition: Definition, given: ReadonlyMap<string, Value>): ReadPipeline {
  const faults: Fault[] = [];
  let changing = false;
  const report = (place: Place, detail: Detail): void => {
    if (faults.length < TOLD.inDefinition) {
      faults.push({ pointer: pointerOf(place), detail: sentenceOf(detail) });
    }
  };
  checkInput(definition, report);
  const reads = new Reads();
  const scope: Scope = {
    context: CONTEXT,
    names: NAMES,
    report,
    parameters: readParameters(definition.parameters, given, report),
    variables: new Map(),
    slots: 0,
    folding: new Meter(FOLDING),
    changing: () => {
      changing = true;
    },
    reads: (field) => {
      reads.note(field);
    },
    auditFields: () => reads.ofInput,
    parse: parseExpression,
  };
  const reader = new PipelineReader(scope, reads);
  reader.read(definition.pipeline);
  const { stages, shape, last } = reader;
  return {
    faults,
    leading: reader.leading,
    stages,
    shape,
    last,
    changing,
    fields: reads.fields,
    auditFields: reads.auditFields,
  };
}

const INPUTS = coreTypesThat((facts) => facts.pipelineInput);
const INPUT_RULE = `The input-type is a type under /resources, ${oneOf(INPUTS, 'or')}.`;

function checkInput({ inputType }: Definition, report: Scope['report']): void {
  if (inputType !== null && typeInfo(inputType).pipelineInput === true) return;
  report(inside(null, 'input-type'), () => `${INPUT_RULE}${offerOf(inputType, INPUTS)}`);
}

class PipelineReader {
  readonly #scope: Scope;
  readonly #reads: Reads;
  readonly #leading: Condition[] = [];
  /** The operators that may occur once in all filters together. */
  readonly #once = new Set<string>();
  readonly stages: Placed[] = [];
  shape: OutputShape = ALL_ATTRIBUTES;
  last = 0;

  constructor(scope: Scope, reads: Reads) {
    this.#scope = scope;
    this.#reads = reads;
  }

  get leading(): Condition | null {
    return this.#leading.length === 0 ? null : allOf(this.#leading);
  }

  read(pipeline: Value): void {
    const place = inside(null, 'pipeline');
    if (!isList(pipeline)) {
      this.#scope.report(place, 'The pipeline is an array of stages.');
      return;
    }
    if (pipeline.length > LIMITS.pipelineStages) {
      this.#scope.report(place, `A pipeline may have ${LIMITS.pipelineStages} stages.`);
      return;
    }
    if (deeperThan(pipeline, LIMITS.jsonDepth)) {
      this.#scope.report(place, `A pipeline may nest ${LIMITS.jsonDepth} levels.`);
      return;
    }
    this.last = Math.max(0, pipeline.length - 1);
    pipeline.forEach((stage, index) => {
      this.#readStage(stage, index, inside(place, index));
    });
    const order = this.leading === null ? undefined : orderOf(this.leading);
    if (order !== undefined) this.stages.unshift({ index: 0, stage: { kind: 'sort', ordering: order } });
    this.#readOutputs();
  }

  /** Reads the outputs of the last stage. */
  #readOutputs(): void {
    const { attributes, relationships } = this.shape;
    this.#reads.note('id');
    for (const name of relationships) this.#reads.note(name);
    if (attributes === null) this.#reads.note(null);
    else for (const name of attributes) this.#reads.note(name);
    this.#reads.end(remakesOf(attributes ?? []));
  }

  #readStage(stage: Value, index: number, place: Place): void {
    const names = isFields(stage) ? Object.keys(stage) : [];
    const [name = ''] = names;
    if (!isFields(stage) || names.length !== 1) {
      this.#scope.report(place, 'A stage is an object with one key, the name of the stage.');
      return;
    }
    const at: At = { name, place: inside(place, name), scope: this.#scope };
    const argument = stage[name] ?? null;
    if (name === 'filter') this.#filter(argument, index, at);
    else if (name === 'output') this.#output(argument, index, at);
    else {
      const read = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
      if (read === undefined) {
        this.#scope.report(at.place, () => unknownStage(name));
        return;
      }
      this.#add(index, read(argument, at));
    }
  }

  #filter(argument: Value, index: number, at: At): void {
    const condition = readFilter(argument, at, this.#once);
    if (condition === null) return;
    if (this.#leading.length === index) {
      this.#leading.push(condition);
      if (orderOf(condition) !== undefined) this.#reads.noteAll(fieldsOfCondition(condition));
      return;
    }
    this.#reads.noteAll(fieldsOfCondition(condition));
    const start = startFilter(condition);
    const same = { streams: true, keepsIds: true, sourceOf: (path: FieldPath) => path };
    this.#add(index, { kind: 'step', start, ...same });
    const ordering = orderOf(condition);
    if (ordering !== undefined) this.#add(index, { kind: 'sort', ordering });
  }

  #output(argument: Value, index: number, at: At): void {
    if (index !== this.last) this.#scope.report(at.place, 'output is the last stage.');
    this.shape = readOutput(argument, at) ?? ALL_ATTRIBUTES;
  }

  #add(index: number, stage: Stage | null): void {
    if (stage === null) return;
    this.stages.push({ index, stage });
    if (stage.kind === 'step' && stage.remakes !== undefined) this.#reads.end(stage.remakes, stage.keepsIds);
  }
}

const STAGE_NAMES: readonly string[] = ['filter', ...Object.keys(STAGES), 'output'];

function unknownStage(name: string): string {
  const bare = name.replace(/^\$/, '');
  const why = Object.hasOwn(REFUSED_STAGES, bare) ? REFUSED_STAGES[bare] : undefined;
  if (why !== undefined) return `The stage ${shownName(name)} is refused: ${why}.`;
  const other = Object.hasOwn(OTHER_NAMES, bare) ? OTHER_NAMES[bare] : undefined;
  const known = Object.hasOwn(STAGES, bare) || bare === 'filter' || bare === 'output' ? bare : other;
  return known === undefined
    ? unknownName(name, { what: 'stage', names: STAGE_NAMES })
    : `There is no stage ${name}; it is ${known} here.`;
}
