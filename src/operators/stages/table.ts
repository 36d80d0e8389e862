/** The stages by their names in a definition. The first `filter` stages go to the planner instead. */
import { bucketAuto } from './bucket-auto.ts';
import { bucket } from './bucket.ts';
import { group } from './group.ts';
import { project } from './project.ts';
import { setWindowFields } from './set-window-fields.ts';
import { limit, sample, skip, startLimit } from './slice.ts';
import { sort, startOrder } from './sort.ts';
import type { ReadStage, Stage, Start } from './stage.ts';
import { unwind } from './unwind.ts';

export const STAGES: Readonly<Record<string, ReadStage>> = {
  sort,
  skip,
  limit,
  sample,
  unwind,
  group,
  bucket,
  bucketAuto,
  setWindowFields,
  project,
};

/** Starts a stage, given the most documents that the rest of the pipeline can want of it. `$skip` is mingo's own. */
export function startOf(stage: Exclude<Stage, { kind: 'skip' }>, wanted: number): Start {
  switch (stage.kind) {
    case 'limit':
      return startLimit(stage.count);
    case 'sort':
      return startOrder(stage.ordering, wanted);
    case 'step':
      return stage.start;
  }
}
