/** The definition of an aggregate while somebody writes it: its stages as texts, each on or off. */
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, parsed, printed, type Members } from '../../parts/fields/json.ts';
import { textOf } from '../../parts/fields/kinds.ts';

export const AGGREGATES = 'core.aggregate';
/** What the types of outputs begin with. */
export const OUTPUTS = 'agt.';

export interface Stage {
  /** Its own for as long as the page is open, wherever it is moved. */
  readonly key: number;
  readonly text: string;
  /** A stage that is off is passed over, and left out when the definition is saved. */
  readonly isOn: boolean;
}

export interface Definition {
  readonly inputType: string;
  readonly outputType: string;
  readonly stages: readonly Stage[];
  /** Names with their defaults, as JSON. */
  readonly parameters: string;
}

let lastKey = 0;

export function stageOf(text: string): Stage {
  lastKey += 1;
  return { key: lastKey, text, isOn: true };
}

export function definitionOf(attributes: Members = {}): Definition {
  const { pipeline = [], parameters = {} } = attributes;
  return {
    inputType: textOf(attributes['input-type'] ?? ''),
    outputType: textOf(attributes['output-type'] ?? OUTPUTS),
    stages: (isItems(pipeline) ? pipeline : []).map((stage) => stageOf(printed(stage))),
    parameters: printed(parameters),
  };
}

/** The definition as it is stored, or the place of the first text that does not read. */
export function attributesOf(definition: Definition): {
  readonly attributes?: Members;
  readonly broken?: string;
} {
  const on = definition.stages.filter(({ isOn }) => isOn);
  const pipeline = on.map(({ text }) => parsed(text));
  const at = pipeline.findIndex((stage) => stage === undefined);
  if (at >= 0)
    return { broken: `Stage ${definition.stages.indexOf(on[at] as Stage) + 1} is not valid JSON.` };
  const parameters = parsed(definition.parameters);
  if (parameters === undefined || !isMembers(parameters))
    return { broken: 'The parameters are no JSON object: names with their defaults.' };
  return {
    attributes: {
      'input-type': definition.inputType.trim(),
      'output-type': definition.outputType.trim(),
      pipeline: pipeline.filter((stage) => stage !== undefined),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    },
  };
}

/** What a stage is called: its one key. */
export function nameOfStage(text: string): string {
  const json = parsed(text);
  const [name] = isMembers(json) ? Object.keys(json) : [];
  return name ?? '';
}

/** A stage of each kind to begin with. */
export const TEMPLATES: Readonly<Record<string, Json>> = {
  filter: { field: { $exists: true } },
  project: { name: 1, total: { $add: ['$a', '$b'] } },
  group: { id: '$field', count: { $sum: 1 } },
  sort: '-count',
  limit: 10,
  skip: 10,
  sample: 10,
  unwind: '$field',
  bucket: { groupBy: '$field', boundaries: [0, 10, 100], default: 'other' },
  bucketAuto: { groupBy: '$field', buckets: 10 },
  setWindowFields: {
    sortBy: 'field',
    output: { sum: { $sum: '$field', window: { documents: ['unbounded', 'current'] } } },
  },
  output: { attributes: ['count'], relationships: [] },
};
