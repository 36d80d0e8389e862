/** The stages of a pipeline: added, moved, removed; each with what leaves it. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { Button, ListTools } from '../../parts/button.tsx';
import { Select } from '../../parts/fields/form.tsx';
import { Problems } from '../../parts/problems.tsx';
import { documentsIn } from '../../parts/words.tsx';
import { printedPlainly, readExactly } from '../document/draft.ts';
import { BoundJson } from '../document/value-row.tsx';
import { nameOfStage, TEMPLATES } from './definition.ts';
import type { Preview, Seen } from './preview.ts';
import { ResultTable } from './result.tsx';

interface StagesProps {
  readonly inputType: string;
  readonly stages: readonly Json[];
  readonly preview: Preview;
  readonly onStages: (stages: readonly Json[]) => void;
}

export function Stages({ inputType, stages, preview: { seen, error, errorAt }, onStages }: StagesProps) {
  /** The names of the editors: what was typed in one, and does not read, moves with its stage. */
  const [names, setNames] = useState(() => stages.map(() => Symbol('stage')));
  const [kind, setKind] = useState('filter');
  return (
    <section class="form-part" aria-label="Pipeline">
      <h2>Pipeline</h2>
      <ol class="stack">
        {inputType !== '' && (
          <li class="card stage">
            <div class="row">
              <h3>Documents of {inputType}</h3>
            </div>
            <Leaving label={`Documents of ${inputType}`} seen={seen[0]} isLast={false} />
          </li>
        )}
        {stages.map((stage, index) => {
          const name = nameOfStage(stage);
          const label = `${index + 1}. ${name || 'stage'}`;
          const isWrong = errorAt === index;
          const left = seen[index + 1];
          return (
            <li key={names[index]} class="card stage">
              <div class="row">
                <h3>{label}</h3>
                <ListTools
                  what={label}
                  items={stages.map((each, at) => ({ each, name: names[at] ?? Symbol('stage') }))}
                  at={index}
                  onItems={(next) => {
                    setNames(next.map((item) => item.name));
                    onStages(next.map(({ each }) => each));
                  }}
                />
              </div>
              <div class="stage-body">
                <div>
                  <BoundJson<Json>
                    label={`Stage ${index + 1}`}
                    value={stage}
                    pointer={`/attributes/pipeline/${index}`}
                    print={printedPlainly}
                    read={readExactly}
                    onValue={(next) => onStages(stages.with(index, next))}
                  />
                </div>
                <div class="stack">
                  {isWrong && <Problems error={error} />}
                  {(!isWrong || left !== undefined) && (
                    <Leaving label={`What leaves ${label}`} seen={left} isLast={name === 'output'} />
                  )}
                </div>
              </div>
            </li>
          );
        })}
      </ol>
      <div class="row">
        <Select aria-label="Kind of stage" value={kind} options={Object.keys(TEMPLATES)} onValue={setKind} />
        <Button
          icon="add"
          onClick={() => {
            setNames([...names, Symbol('stage')]);
            onStages([...stages, { [kind]: TEMPLATES[kind] ?? {} }]);
          }}
        >
          Add the stage
        </Button>
      </div>
    </section>
  );
}

interface LeavingProps {
  readonly label: string;
  readonly seen: Seen | undefined;
  readonly isLast: boolean;
}

/** What leaves a stage: how many documents, and the first of them. */
function Leaving({ label, seen, isLast }: LeavingProps) {
  if (isLast) return <p class="soft">It says what is shown of each document: see the result.</p>;
  if (seen === undefined) return <p class="soft">Not run yet.</p>;
  const { count, documents } = seen;
  return (
    <>
      <p class="soft">{documentsIn(count)}</p>
      {documents.length > 0 && <ResultTable label={label} rows={documents} />}
    </>
  );
}
