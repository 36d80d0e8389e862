/** One application, for the operator: its name, its quotas, and for how long its audit trail is kept. */
import type { Json } from '../../../client/values.ts';
import { TextField } from '../../parts/fields/form.tsx';
import { isMembers, withMember, type Members } from '../../parts/fields/json.ts';
import { textOf } from '../../parts/fields/kinds.ts';
import { APPLICATION } from '../../session/credentials.ts';
import type { Opened, Sort } from '../document/sort.ts';

const PLACEMENT =
  'A jurisdiction such as eu, or a region such as weur. Empty: near its clients. It cannot be changed.';

export const APPLICATIONS: Sort = {
  type: APPLICATION,
  steps: ['applications'],
  all: 'Applications',
  what: 'application',
  isKept: true,
  known: { name: { title: 'Name' }, placement: { title: 'Placement', description: PLACEMENT } },
  form: (open) => <Limits open={open} />,
};

/** The quotas that an application may have, with what they limit. */
const QUOTAS = [
  ['requests', 'Requests a second'],
  ['documents', 'Documents'],
  ['bytes', 'Bytes'],
  ['types', 'Types'],
] as const;

function Limits({ open: { draft, setDraft } }: { readonly open: Opened }) {
  const { attributes } = draft;
  const quotas = isMembers(attributes['quotas']) ? attributes['quotas'] : {};
  const set = (name: string, value: Json | undefined) =>
    setDraft({ ...draft, attributes: withMember(attributes, name, value) });
  return (
    <div class="form-part">
      <h2>Quotas</h2>
      <div class="toolbar">
        {QUOTAS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            {...numberIn(quotas, name, (number) => set('quotas', withMember(quotas, name, number)))}
          />
        ))}
      </div>
      <p class="hint">Empty: no limit. A full quota only stops writes that add.</p>
      <h2>Audit trail</h2>
      <TextField
        label="Days to keep entries"
        hint="Empty: the audit trail is off."
        {...numberIn(attributes, 'audit-days', (number) => set('audit-days', number))}
      />
    </div>
  );
}

/** A number as a line of text. What is none goes as it is: the service says what is wrong. */
function numberIn(members: Members, name: string, onNumber: (number: Json | undefined) => void) {
  return {
    value: textOf(members[name] ?? null),
    onText: (typed: string) => {
      const text = typed.trim();
      onNumber(text === '' ? undefined : Number.isFinite(Number(text)) ? Number(text) : text);
    },
  };
}
