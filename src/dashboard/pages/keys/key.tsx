/** One API key: its name, permissions as rows or JSON, quota, what it would decide, and its end. */
import type { Resource } from '../../../client/transport.ts';
import { CodeBlock, Opener } from '../../parts/button.tsx';
import { Dialog } from '../../parts/fields/dialog.tsx';
import { faultsIn, isMembers, stringIn } from '../../parts/fields/json.ts';
import { Content } from '../../parts/page.tsx';
import { read, useLoad } from '../../session/service.ts';
import { sortOf } from '../document/stored.ts';
import { Tester } from './decision.tsx';
import { PermissionRows } from './permission-rows.tsx';
import { permissionsOf } from './permissions.ts';

export const KEY = 'core.api-key';
/** The secure-id is asked for where somebody wants to see it, and nowhere else. */
export const FIELDS = 'name,permissions,quotas';

export const KEYS = sortOf(KEY, {
  fields: FIELDS,
  known: {
    name: { title: 'Name' },
    quotas: {
      title: 'Quota',
      type: 'object',
      properties: {
        requests: { title: 'Requests a second', description: 'Empty: unlimited.', type: 'integer' },
      },
    },
  },
  deletion: 'It stops working here now, elsewhere within 60 seconds.',
  saved: 'Saved. It takes effect here now, elsewhere within 60 seconds.',
  actions: ({ isNew, link }) =>
    !isNew && (
      <Opener dialog={(close) => <SecureIdDialog id={link.id} onClose={close} />}>Show the key</Opener>
    ),
  form: ({ turn, draft, setDraft, faults }) => (
    <section key={turn} class="form-part">
      <h2>Permissions</h2>
      <PermissionRows
        permissions={permissionsOf(draft.attributes['permissions'])}
        faults={faultsIn(faults, '/attributes/permissions')}
        onChange={(permissions) => setDraft({ ...draft, attributes: { ...draft.attributes, permissions } })}
      />
    </section>
  ),
  below: ({ draft, isDirty, isNew, link }) =>
    !isNew && (
      <Tester id={link.id} permissions={permissionsOf(draft.attributes['permissions'])} isDraft={isDirty} />
    ),
});

export function keyOf({ id = '', attributes = {} }: Partial<Pick<Resource, 'id' | 'attributes'>>) {
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
