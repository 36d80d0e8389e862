/** Settings of one type as JSON (docs/types.md). */
import { useEffect } from 'preact/hooks';
import { stringIn, withMember, type Members } from '../../parts/fields/json.ts';
import { ID } from '../../parts/fields/kinds.ts';
import { Content, Page } from '../../parts/page.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { BASE } from '../../session/service.ts';
import { readTitles } from '../../session/titles.ts';
import { Document } from '../document/document.tsx';
import { printedPlainly, readMembers } from '../document/draft.ts';
import { SETTINGS, storedSettings } from '../document/shape.ts';
import type { Opened, Sort } from '../document/sort.ts';
import { BoundJson } from '../document/value-row.tsx';

const SORT: Sort = {
  type: SETTINGS,
  steps: ['schemas', 'settings'],
  all: 'Schemas',
  what: 'type',
  title: ({ name }) => (name === undefined ? 'A new type' : `Settings of ${stringIn(name)}`),
  known: { name: { title: 'Type', description: 'A first document makes a type as well.' } },
  saved: 'Saved. They apply to every write from now on.',
  form: (open) => <Settings key={open.turn} open={open} />,
};

/** By the name of the type, or by their id. */
export function SettingsPage({ of }: { readonly of: string }) {
  const isId = of === 'new' || ID.test(of);
  const id = useLoad(
    async (signal) => (isId ? of : ((await storedSettings(of, signal))?.document.id ?? 'new')),
    [of],
  );
  if (id.value !== undefined)
    return <Document sort={SORT} id={id.value} blank={isId ? {} : { attributes: { name: of } }} />;
  return (
    <Page title={`Settings of ${of}`} above={<a href={wayTo(SORT.steps)}>{SORT.all}</a>}>
      <Content of={id} what="settings">
        {() => null}
      </Content>
    </Page>
  );
}

function Settings({ open: { base, draft, setDraft } }: { readonly open: Opened }) {
  const { name, ...settings } = draft.attributes;
  // They say what documents are called by.
  useEffect(() => void readTitles(), [base.etag]);
  return (
    <div>
      <BoundJson<Members>
        label="Settings as JSON"
        value={settings}
        pointer="/attributes"
        print={printedPlainly}
        read={readMembers}
        onValue={(next) => setDraft({ ...draft, attributes: withMember(next, 'name', name) })}
      />
      <p class="hint">
        Stored documents must obey. If one does not, nothing is changed, and the error names it.{' '}
        <a href={`${BASE}/docs/types`}>Which settings there are</a>
      </p>
    </div>
  );
}
