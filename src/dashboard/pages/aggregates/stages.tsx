/** The stages of a pipeline: added, moved, switched off, removed; each with what leaves it. */
import { useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Button, ListTools } from '../../parts/button.tsx';
import { Check, Select } from '../../parts/fields/form.tsx';
import { printed } from '../../parts/fields/json.ts';
import { faultsBelow, Problems } from '../../parts/problems.tsx';
import { documentsIn } from '../../parts/words.tsx';
import { nameOfStage, stageOf, TEMPLATES, type Stage } from './definition.ts';
import type { Preview, Seen } from './preview.ts';
import { ResultTable } from './result.tsx';

interface StagesProps {
  readonly inputType: string;
  readonly stages: readonly Stage[];
  readonly preview: Preview;
  readonly onStages: (stages: readonly Stage[]) => void;
}

export function Stages({ inputType, stages, preview, onStages }: StagesProps) {
  const on = stages.filter(({ isOn }) => isOn);
  return (
    <section class="form-part" aria-label="Pipeline">
      <h2>Pipeline</h2>
      <ol class="stack">
        {inputType !== '' && (
          <li class="card stage">
            <div class="row">
              <h3>Documents of {inputType}</h3>
            </div>
            <Leaving label={`Documents of ${inputType}`} seen={preview.seen[0]} isLast={false} />
          </li>
        )}
        {stages.map((stage, index) => {
          const at = on.indexOf(stage);
          const name = nameOfStage(stage.text) || 'stage';
          const label = `${index + 1}. ${name}`;
          const isWrong = at >= 0 && preview.errorAt === at;
          return (
            <li key={stage.key} class={stage.isOn ? 'card stage' : 'card stage off'}>
              <div class="row">
                <h3>{label}</h3>
                <Check
                  label={`${label} is on`}
                  checked={stage.isOn}
                  onChecked={(isOn) => onStages(stages.with(index, { ...stage, isOn }))}
                >
                  on
                </Check>
                <ListTools what={label} items={stages} at={index} onItems={onStages} />
              </div>
              <div class="stage-body">
                <JsonEditor
                  label={`Stage ${index + 1}`}
                  text={stage.text}
                  marks={at < 0 ? [] : faultsBelow(preview.error, `/data/attributes/pipeline/${at}`)}
                  onText={(text) => onStages(stages.with(index, { ...stage, text }))}
                />
                <div>
                  {isWrong && <Problems error={preview.error} />}
                  {stage.isOn && (!isWrong || preview.seen[at + 1] !== undefined) && (
                    <Leaving
                      label={`What leaves ${label}`}
                      seen={preview.seen[at + 1]}
                      isLast={name === 'output'}
                    />
                  )}
                  {!stage.isOn && <p class="soft">This stage is off.</p>}
                </div>
              </div>
            </li>
          );
        })}
      </ol>
      <AddStage onAdd={(text) => onStages([...stages, stageOf(text)])} />
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

function AddStage({ onAdd }: { readonly onAdd: (text: string) => void }) {
  const [name, setName] = useState('filter');
  return (
    <div class="row">
      <Select aria-label="Kind of stage" value={name} options={Object.keys(TEMPLATES)} onValue={setName} />
      <Button icon="add" onClick={() => onAdd(printed({ [name]: TEMPLATES[name] ?? {} }))}>
        Add the stage
      </Button>
    </div>
  );
}
