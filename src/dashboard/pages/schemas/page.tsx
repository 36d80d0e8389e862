/** Schemas by the type that they are for, and new ones. */
import { useId, useState } from 'preact/hooks';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { go, route, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';
import type { PageProps } from '../props.ts';
import { SettingsList, SettingsPage } from './settings.tsx';
import { NewSchemaPage, SchemaPage } from './schema.tsx';
import { readSchemas } from './schemas.ts';

export default function Schemas({ steps: [id, type] }: PageProps) {
  if (id === undefined) return <AllSchemas />;
  if (id === 'settings' && type !== undefined) return <SettingsPage key={type} type={type} />;
  const target = route.value.query.get('target') ?? '';
  return id === 'new' ? <NewSchemaPage key={target} target={target} /> : <SchemaPage key={id} id={id} />;
}

function AllSchemas() {
  const { value: schemas, error } = useLoad(readSchemas, []);
  const [isMaking, setMaking] = useState(false);
  const make = () => {
    setMaking(true);
  };
  return (
    <Page
      title="Schemas"
      lead="A JSON Schema says what documents of a type look like. Every write must satisfy all schemas of its type."
      actions={
        <button class="button primary" type="button" onClick={make}>
          <Icon name="add" /> New schema
        </button>
      }
    >
      <Problems error={error} />
      {schemas === undefined && error === undefined && <Loading what="schemas" />}
      {schemas?.length === 0 && (
        <Empty title="Documents may look as they like.">
          <p>A schema can be drafted from documents that are there already.</p>
          <button class="button" type="button" onClick={make}>
            Make the first schema
          </button>
        </Empty>
      )}
      {schemas !== undefined && schemas.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">For</th>
                <th scope="col">Fields</th>
                <th scope="col">Id</th>
              </tr>
            </thead>
            <tbody>
              {schemas.map(({ id, target, content }) => (
                <tr key={id}>
                  <td class="name-cell">
                    <a href={wayTo(['schemas', id])}>{target}</a>
                  </td>
                  <td class="summary-of-schema">{fieldsOf(content).join(', ')}</td>
                  <td>
                    <code>{id}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <SettingsList />
      {isMaking && (
        <TargetDialog
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
    </Page>
  );
}

/** The service's own types that schemas may be for. */
const OWN = ['core.user', 'core.external-user', 'core.user-group'];

function TargetDialog({ onClose }: { readonly onClose: () => void }) {
  const [target, setTarget] = useState('');
  const list = useId();
  const { value: types } = useLoad((signal) => readTypes(signal).catch(() => []), []);
  return (
    <FormDialog
      title="A schema for which type?"
      action="Write it"
      onClose={onClose}
      onSubmit={() => {
        go(wayTo(['schemas', 'new'], { target: target.trim() }));
        return Promise.resolve();
      }}
    >
      <TextField
        label="Type"
        hint="A type of documents, or core.user, core.external-user, core.user-group."
        required
        autofocus
        list={list}
        value={target}
        onText={setTarget}
      />
      <datalist id={list}>
        {[...(types ?? []).map(({ name }) => name), ...OWN].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}

/** The names of the attributes and relationships that a schema tells of. */
function fieldsOf(content: unknown): readonly string[] {
  const parts = memberOf(content, 'properties');
  return ['attributes', 'relationships'].flatMap((part) =>
    Object.keys(Object(memberOf(memberOf(parts, part), 'properties')) as object),
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([each]) => each === name)?.[1]
    : undefined;
}
