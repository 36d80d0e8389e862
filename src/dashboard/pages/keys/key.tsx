/** One API key: its name, permissions as rows or JSON, quota, what it would decide, and its end. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { DeleteButton, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/form.tsx';
import { isMembers, parsed, printed, stringIn } from '../../parts/json.ts';
import { Opened, Page } from '../../parts/page.tsx';
import { faultsBelow, Problems } from '../../parts/problems.tsx';
import { useRun, useSubmit } from '../../parts/run.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { goFreely, replaceWith, route, wayTo } from '../../route.ts';
import { change, read, type Stored } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { PermissionRows } from './permission-rows.tsx';
import { permissionsOf, type Permission } from './permissions.ts';
import { Tester } from './tester.tsx';

export const KEY = 'core.api-key';
/** The secure-id is asked for where somebody wants to see it, and nowhere else. */
export const FIELDS = 'name,permissions,quotas';

/** What is edited of a key. */
interface Draft {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Requests a second; undefined for any number. */
  readonly requests: number | undefined;
}

export interface Key extends Draft {
  readonly id: string;
}

export function keyOf({ id, attributes = {} }: Resource): Key {
  const { name, permissions, quotas } = attributes;
  const requests = isMembers(quotas) ? quotas['requests'] : undefined;
  return {
    id,
    name: stringIn(name),
    permissions: permissionsOf(permissions),
    requests: typeof requests === 'number' ? requests : undefined,
  };
}

export function KeyPage({ id }: { readonly id: string }) {
  const key = useLoad((signal) => read({ type: KEY, id }, FIELDS, signal), [id]);
  const above = <a href={wayTo(['keys'])}>API keys</a>;
  return (
    <Opened of={key} title="API key" above={above} what="key">
      {(stored) => <Editing key={stored.etag} stored={stored} above={above} onChanged={key.refresh} />}
    </Opened>
  );
}

interface EditingProps {
  readonly stored: Stored;
  readonly above: ComponentChildren;
  readonly onChanged: () => Promise<void>;
}

function Editing({ stored: { document, etag }, above, onChanged }: EditingProps) {
  const { id, ...stored } = keyOf(document);
  const link = { type: KEY, id };
  const [draft, setDraft] = useState<Draft>(stored);
  const { name, permissions, requests } = draft;
  const [text, setText] = useState<string>();
  const [secureId, setSecureId] = useState<string>();
  const isDirty = JSON.stringify(stored) !== JSON.stringify(draft);
  const showing = useRun(async () => {
    setSecureId(stringIn((await read(link, 'secure-id'))?.document.attributes?.['secure-id']));
  });
  const { error, isBusy, submit } = useSubmit(async () => {
    if (text !== undefined && readPermissions(text) === undefined) {
      throw new TypeError('Permissions are a JSON array of objects.');
    }
    const quotas = requests === undefined ? {} : { requests };
    await change(
      link,
      { attributes: { name, permissions, ...(requests !== stored.requests && { quotas }) } },
      etag,
    );
    await onChanged();
    tell('Saved. It takes effect here now, elsewhere within 60 seconds.');
  });
  const write = (next: readonly Permission[]) => {
    setDraft({ ...draft, permissions: next });
  };
  const faults = faultsBelow(error, '/data/attributes/permissions');
  return (
    <Page
      title={stored.name || 'Without a name'}
      above={above}
      lead={<code>{id}</code>}
      wide
      actions={
        <>
          <Button onClick={showing.run}>Show the key</Button>
          <DeleteButton
            link={link}
            title={`Delete the key ${stored.name}?`}
            action="Delete the key"
            told={`The key ${stored.name} was deleted.`}
            onDone={() => {
              goFreely(wayTo(['keys']));
            }}
          >
            It stops working here now, elsewhere within 60 seconds.
          </DeleteButton>
        </>
      }
    >
      <Unsaved isDirty={isDirty} what="This key" />
      <Problems error={showing.error} />
      <div class="key-columns">
        <form aria-label="The key" onSubmit={submit}>
          <fieldset disabled={isBusy}>
            <div class="toolbar">
              <TextField
                label="Name"
                required
                value={name}
                onText={(next) => {
                  setDraft({ ...draft, name: next });
                }}
              />
              <TextField
                label="Requests a second"
                value={requests === undefined ? '' : String(requests)}
                placeholder="unlimited"
                onText={(typed) => {
                  const digits = typed.replaceAll(/\D/g, '');
                  setDraft({ ...draft, requests: digits === '' ? undefined : Number(digits) });
                }}
              />
            </div>
            <Tabs
              label="Permissions"
              tabs={{ rows: 'Permissions', json: 'JSON' }}
              open={route.value.query.get('view') === 'json' ? 'json' : 'rows'}
              onOpen={(next) => {
                setText(undefined);
                replaceWith(wayTo(['keys', id], next === 'json' ? { view: 'json' } : {}));
              }}
            >
              {(view) =>
                view === 'rows' ? (
                  <PermissionRows permissions={permissions} faults={faults} onChange={write} />
                ) : (
                  <JsonEditor
                    label="Permissions as JSON"
                    isReadOnly={isBusy}
                    text={text ?? printed(permissions)}
                    marks={faults}
                    onText={(next) => {
                      setText(next);
                      const said = readPermissions(next);
                      if (said !== undefined) write(said);
                    }}
                  />
                )
              }
            </Tabs>
          </fieldset>
          <Problems error={error} />
          <p class="save-bar">
            <Button look="primary" disabled={isBusy || !isDirty}>
              Save
            </Button>
            {isDirty && (
              <Button
                onClick={() => {
                  setText(undefined);
                  setDraft(stored);
                }}
              >
                Discard changes
              </Button>
            )}
          </p>
        </form>
        <Tester id={id} permissions={permissions} isDraft={isDirty} />
      </div>
      {secureId !== undefined && (
        <Dialog
          title="The key"
          onClose={() => {
            setSecureId(undefined);
          }}
        >
          <SecureId text={secureId} />
        </Dialog>
      )}
    </Page>
  );
}

/** Undefined for what is no list of objects. */
function readPermissions(text: string): readonly Permission[] | undefined {
  const json = parsed(text);
  const permissions = permissionsOf(json);
  return Array.isArray(json) && permissions.length === json.length ? permissions : undefined;
}

export function SecureId({ text }: { readonly text: string }) {
  return (
    <>
      <p>
        Clients send this in the header <code>api-key</code>. Keep it secret.
      </p>
      <CodeBlock text={text} label="the key" />
    </>
  );
}
