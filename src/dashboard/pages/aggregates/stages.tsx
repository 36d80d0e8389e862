/** The stages of a pipeline: added, moved, switched off, removed; each with what leaves it. */
import { useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Problems } from '../../parts/problems.tsx';
import { printed } from '../document/draft.ts';
import { nameOfStage, stageOf, TEMPLATES, type Stage } from './definition.ts';
import type { Seen } from './preview/runner.ts';
import { faultsInStage, type Preview } from './preview/use-preview.ts';
import { ResultTable } from './result/table.tsx';

interface StagesProps {
  readonly inputType: string;
  readonly stages: readonly Stage[];
  readonly preview: Preview;
  readonly onStages: (stages: readonly Stage[]) => void;
}

export function Stages({ inputType, stages, preview, onStages }: StagesProps) {
  const on = stages.filter(({ isOn }) => isOn);
  const move = (index: number, by: number) => {
    const [stage] = stages.slice(index, index + 1);
    if (stage !== undefined) onStages(stages.toSpliced(index, 1).toSpliced(index + by, 0, stage));
  };
  return (
    <section class="form-part" aria-label="Pipeline">
      <h2>Pipeline</h2>
      <ol class="stages">
        {inputType !== '' && (
          <li class="stage">
            <div class="stage-head">
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
            <li key={stage.key} class={stage.isOn ? 'stage' : 'stage off'}>
              <div class="stage-head">
                <h3>{label}</h3>
                <label class="check">
                  <input
                    type="checkbox"
                    aria-label={`${label} is on`}
                    checked={stage.isOn}
                    onChange={({ currentTarget }) => {
                      onStages(stages.with(index, { ...stage, isOn: currentTarget.checked }));
                    }}
                  />
                  on
                </label>
                <button
                  class="bare"
                  type="button"
                  aria-label={`Move ${label} up`}
                  title="Up"
                  disabled={index === 0}
                  onClick={() => {
                    move(index, -1);
                  }}
                >
                  <Icon name="up" />
                </button>
                <button
                  class="bare"
                  type="button"
                  aria-label={`Move ${label} down`}
                  title="Down"
                  disabled={index === stages.length - 1}
                  onClick={() => {
                    move(index, 1);
                  }}
                >
                  <Icon name="down" />
                </button>
                <button
                  class="bare"
                  type="button"
                  aria-label={`Remove ${label}`}
                  title="Remove"
                  onClick={() => {
                    onStages(stages.toSpliced(index, 1));
                  }}
                >
                  <Icon name="trash" />
                </button>
              </div>
              <div class="stage-body">
                <JsonEditor
                  label={`Stage ${index + 1}`}
                  text={stage.text}
                  marks={at < 0 ? [] : faultsInStage(preview.error, at)}
                  onText={(text) => {
                    onStages(stages.with(index, { ...stage, text }));
                  }}
                />
                <div class="stage-output">
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
      <AddStage
        onAdd={(text) => {
          onStages([...stages, stageOf(text)]);
        }}
      />
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
  if (seen === undefined) return <p class="soft">Not looked at yet.</p>;
  const { count, documents } = seen;
  return (
    <>
      <p class="soft">
        {count.toLocaleString()} {count === 1 ? 'document' : 'documents'}
      </p>
      {documents.length > 0 && <ResultTable label={label} rows={documents} />}
    </>
  );
}

function AddStage({ onAdd }: { readonly onAdd: (text: string) => void }) {
  const [name, setName] = useState('filter');
  return (
    <div class="add-stage">
      <select
        aria-label="Kind of stage"
        value={name}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      >
        {Object.keys(TEMPLATES).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <button
        class="button"
        type="button"
        onClick={() => {
          onAdd(printed({ [name]: TEMPLATES[name] ?? {} }));
        }}
      >
        <Icon name="add" /> Add the stage
      </button>
    </div>
  );
}
