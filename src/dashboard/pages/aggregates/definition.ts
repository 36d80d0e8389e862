/** Definitions of aggregates, and what their stages begin as. */
import type { Json } from '../../../client/values.ts';
import { isMembers } from '../../parts/fields/json.ts';

export const AGGREGATES = 'core.aggregate';
/** What the types of outputs begin with. */
export const OUTPUTS = 'agt.';

/** What a stage is called: its one key. */
export function nameOfStage(stage: Json): string {
  const [name = ''] = isMembers(stage) ? Object.keys(stage) : [];
  return name;
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
