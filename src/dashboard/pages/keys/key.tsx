/** One API key: its name, permissions as rows or JSON, quota, what it would decide, and its end. */
import { useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Opener } from '../../parts/button.tsx';
import { Single, type Open } from '../../parts/collection.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/fields/dialog.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { SaveForm } from '../../parts/fields/json-form.tsx';
import { isMembers, parsed, printed, stringIn } from '../../parts/fields/json.ts';
import { Content } from '../../parts/page.tsx';
import { faultsBelow } from '../../parts/problems.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { change, read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { PermissionRows } from './permission-rows.tsx';
import { permissionsOf, type Permission } from './permissions.ts';
import { Tester } from './tester.tsx';

export const KEY = 'core.api-key';
export const STEPS = ['keys'];
/** The secure-id is asked for where somebody wants to see it, and nowhere else. */
export const FIELDS = 'name,permissions,quotas';

export type Key = ReturnType<typeof keyOf>;

export function keyOf({ id, attributes = {} }: Resource) {
  const { name, permissions, quotas } = attributes;
  const requests = isMembers(quotas) ? quotas['requests'] : undefined;
  return {
    id,
    name: stringIn(name),
    permissions: permissionsOf(permissions),
    /** A second, as digits; empty for any number. */
    requests: typeof requests === 'number' ? String(requests) : '',
  };
}

export function KeyPage({ id }: { readonly id: string }) {
  return (
    <Single
      link={{ type: KEY, id }}
      fields={FIELDS}
      what="key"
      steps={STEPS}
      all="API keys"
      wide
      deletion="It stops working here now, elsewhere within 60 seconds."
      actions={() => (
        <Opener dialog={(close) => <SecureIdDialog id={id} onClose={close} />}>Show the key</Opener>
      )}
    >
      {(open) => <Editing key={open.stored.etag} {...open} />}
    </Single>
  );
}

function Editing({ stored: { document, etag }, refresh }: Open) {
  const { id, ...stored } = keyOf(document);
  const [draft, setDraft] = useState(stored);
  const { name, permissions, requests } = draft;
  const [text, setText] = useState<string>();
  const isDirty = JSON.stringify(stored) !== JSON.stringify(draft);
  const set =
    <Name extends keyof typeof stored>(name: Name) =>
    (value: (typeof stored)[Name]) =>
      setDraft({ ...draft, [name]: value });
  const save = async () => {
    if (text !== undefined && readPermissions(text) === undefined) {
      throw new TypeError('Permissions are a JSON array of objects.');
    }
    const quotas = requests === '' ? {} : { requests: Number(requests) };
    const sent = { name, permissions, ...(requests !== stored.requests && { quotas }) };
    await change(document, { attributes: sent }, etag);
    await refresh();
    return 'Saved. It takes effect here now, elsewhere within 60 seconds.';
  };
  const discard = () => {
    setText(undefined);
    setDraft(stored);
    return () => {
      setText(text);
      setDraft(draft);
    };
  };
  return (
    <div class="key-columns">
      <SaveForm label="The key" what="This key" isDirty={isDirty} onSave={save} onDiscard={discard}>
        {(error, isBusy) => (
          <fieldset disabled={isBusy}>
            <div class="toolbar">
              <TextField label="Name" required value={name} onText={set('name')} />
              <TextField
                label="Requests a second"
                value={requests}
                placeholder="unlimited"
                onText={(typed) => set('requests')(typed.replaceAll(/\D/g, ''))}
              />
            </div>
            <Tabs
              label="Permissions"
              tabs={{ rows: 'Permissions', json: 'JSON' }}
              open={route.value.query.get('view') === 'json' ? 'json' : 'rows'}
              onOpen={(next) => {
                setText(undefined);
                replaceWith(wayTo([...STEPS, id], next === 'json' ? { view: 'json' } : {}));
              }}
            >
              {(view) => {
                const faults = faultsBelow(error, '/data/attributes/permissions');
                if (view === 'rows')
                  return (
                    <PermissionRows permissions={permissions} faults={faults} onChange={set('permissions')} />
                  );
                return (
                  <JsonEditor
                    label="Permissions as JSON"
                    isReadOnly={isBusy}
                    text={text ?? printed(permissions)}
                    marks={faults}
                    onText={(next) => {
                      setText(next);
                      const said = readPermissions(next);
                      if (said !== undefined) set('permissions')(said);
                    }}
                  />
                );
              }}
            </Tabs>
          </fieldset>
        )}
      </SaveForm>
      <Tester id={id} permissions={permissions} isDraft={isDirty} />
    </div>
  );
}

/** Undefined for what is no list of objects. */
function readPermissions(text: string): readonly Permission[] | undefined {
  const json = parsed(text);
  const permissions = permissionsOf(json);
  return Array.isArray(json) && permissions.length === json.length ? permissions : undefined;
}

function SecureIdDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const key = useLoad((signal) => read({ type: KEY, id }, 'secure-id', signal), [id]);
  return (
    <Dialog title="The key" onClose={onClose}>
      <Content of={key} what="the key">
        {(stored) => <SecureId text={stringIn(stored?.document.attributes?.['secure-id'])} />}
      </Content>
    </Dialog>
  );
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
