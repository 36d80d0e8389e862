/** One API key: its name, permissions as rows or JSON, quota, what it would decide, and its end. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { errorsOf, Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { goFreely, replaceWith, route, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { printed } from '../document/draft.ts';
import { deleteKey, readKey, readSecureId, saveKey, type Draft, type Key } from './keys.ts';
import { SecureId } from './new-key.tsx';
import { permissionsOf, type Permission } from './permissions.ts';
import { PermissionRows } from './rows.tsx';
import { Tester } from './tester.tsx';

const PANEL = 'permissions-panel';
const BEFORE = '/data/attributes/permissions';

export function KeyPage({ id }: { readonly id: string }) {
  const { value: key, error, isLoading, refresh } = useLoad((signal) => readKey(id, signal), [id]);
  if (key !== undefined) return <Editing key={key.etag} stored={key} onChanged={refresh} />;
  return (
    <Page title="API key" above={<a href={wayTo(['keys'])}>API keys</a>}>
      <Problems error={error} />
      {isLoading && <Loading what="the key" />}
      {!isLoading && error === undefined && <Empty title="This key was deleted." />}
    </Page>
  );
}

function Editing({ stored, onChanged }: { readonly stored: Key; readonly onChanged: () => Promise<void> }) {
  const { id } = stored;
  const [draft, setDraft] = useState<Draft>(stored);
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState<'delete'>();
  const [secureId, setSecureId] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const view = route.value.query.get('view') === 'json' ? 'json' : 'rows';
  const { permissions } = draft;
  const isDirty = JSON.stringify(draftOf(stored)) !== JSON.stringify(draftOf(draft));
  const { error, isBusy, submit } = useSubmit(async () => {
    if (text !== undefined && readPermissions(text) === undefined) {
      throw new TypeError('Permissions are a JSON array of objects.');
    }
    await saveKey(stored, draft);
    await onChanged();
    tell('Saved. The next request here goes by it; elsewhere within 60 seconds.');
  });
  const change = (next: readonly Permission[]) => {
    setDraft({ ...draft, permissions: next });
  };
  const faults = error === undefined ? [] : errorsOf(error);
  return (
    <Page
      title={stored.name === '' ? 'Without a name' : stored.name}
      above={<a href={wayTo(['keys'])}>API keys</a>}
      lead={<code>{id}</code>}
      wide
      actions={
        <>
          <button
            class="button"
            type="button"
            onClick={() => {
              readSecureId(id).then(setSecureId, setFailure);
            }}
          >
            Show the secure-id
          </button>
          <button
            class="button danger"
            type="button"
            onClick={() => {
              setOpen('delete');
            }}
          >
            Delete
          </button>
        </>
      }
    >
      <Unsaved isDirty={isDirty} what="This key" />
      <Problems error={failure} />
      <div class="key-columns">
        <form aria-label="The key" onSubmit={submit}>
          <fieldset disabled={isBusy}>
            <div class="toolbar">
              <TextField
                label="Name"
                required
                value={draft.name}
                onText={(name) => {
                  setDraft({ ...draft, name });
                }}
              />
              <TextField
                label="Requests a second"
                value={draft.requests === undefined ? '' : String(draft.requests)}
                placeholder="any number"
                onText={(typed) => {
                  const digits = typed.replaceAll(/\D/g, '');
                  setDraft({ ...draft, requests: digits === '' ? undefined : Number(digits) });
                }}
              />
            </div>
            <Tabs
              label="Permissions"
              tabs={[
                ['rows', 'Permissions'],
                ['json', 'JSON'],
              ]}
              open={view}
              panel={PANEL}
              onOpen={(next) => {
                setText(undefined);
                replaceWith(wayTo(['keys', id], next === 'json' ? { view: 'json' } : {}));
              }}
            />
            <div id={PANEL} role="tabpanel" aria-label={view === 'json' ? 'JSON' : 'Permissions'}>
              {view === 'rows' ? (
                <PermissionRows permissions={permissions} faults={faults} onChange={change} />
              ) : (
                <JsonEditor
                  label="Permissions as JSON"
                  isReadOnly={isBusy}
                  text={text ?? printed(permissions)}
                  marks={faults.flatMap(({ source, detail, title }) =>
                    source?.pointer?.startsWith(BEFORE) === true
                      ? [{ pointer: source.pointer.slice(BEFORE.length), message: detail ?? title }]
                      : [],
                  )}
                  onText={(next) => {
                    setText(next);
                    const read = readPermissions(next);
                    if (read !== undefined) change(read);
                  }}
                />
              )}
            </div>
          </fieldset>
          <Problems error={error} />
          <p class="save-bar">
            <button class="button primary" type="submit" disabled={isBusy || !isDirty}>
              Save
            </button>
            {isDirty && (
              <button
                class="button"
                type="button"
                onClick={() => {
                  setText(undefined);
                  setDraft(stored);
                }}
              >
                Discard changes
              </button>
            )}
          </p>
        </form>
        <Tester id={id} permissions={permissions} isDraft={isDirty} />
      </div>
      {secureId !== undefined && (
        <Dialog
          title="The secure-id"
          onClose={() => {
            setSecureId(undefined);
          }}
        >
          <div class="dialog-body">
            <SecureId text={secureId} />
          </div>
        </Dialog>
      )}
      {isOpen === 'delete' && (
        <Confirm
          title={`Delete the key ${stored.name}?`}
          action="Delete the key"
          onClose={() => {
            setOpen(undefined);
          }}
          onConfirm={async () => {
            await deleteKey(id);
            tell(`The key ${stored.name} was deleted.`);
            goFreely(wayTo(['keys']));
          }}
        >
          <p>Whoever sends it gets 401 from the next request on, elsewhere within 60 seconds.</p>
        </Confirm>
      )}
    </Page>
  );
}

function draftOf({ name, permissions, requests }: Draft): Draft {
  return { name, permissions, requests };
}

/** Undefined for what is no list of objects. */
function readPermissions(text: string): readonly Permission[] | undefined {
  try {
    const json = JSON.parse(text) as Json;
    const permissions = permissionsOf(json);
    return Array.isArray(json) && permissions.length === json.length ? permissions : undefined;
  } catch {
    return undefined;
  }
}
