/** Settings of one type as JSON (docs/types.md). */
import type { Resource } from '../../../client/transport.ts';
import { JsonForm } from '../../parts/fields/json-form.tsx';
import { membersIn, printed, type Members } from '../../parts/fields/json.ts';
import { Content, Page } from '../../parts/page.tsx';
import { wayTo } from '../../route.ts';
import type { Stored } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { BASE } from '../../session/service.ts';
import { readTitles } from '../../session/titles.ts';
import { changeSettings, storedSettings } from '../document/shape.ts';

const HINT = 'Stored documents must obey. If one does not, nothing is changed, and the error names it.';

/** The settings that there are. */
export function settingsIn(document: Resource | undefined): Members {
  const entries = Object.entries(document?.attributes ?? {});
  return Object.fromEntries(entries.filter(([name, value]) => name !== 'name' && value !== null));
}

export function SettingsPage({ type }: { readonly type: string }) {
  const settings = useLoad((signal) => storedSettings(type, signal), [type]);
  const save = async (stored: Stored | null, text: string) => {
    const sent = membersIn(text, 'Settings');
    // A setting that is not there any more is null.
    const before = Object.keys(settingsIn(stored?.document));
    const removed = before.filter((name) => !Object.hasOwn(sent, name)).map((name) => [name, null] as const);
    await changeSettings(type, () => ({ ...sent, ...Object.fromEntries(removed) }), stored);
    await Promise.all([settings.refresh(), readTitles()]);
    return 'Saved. They apply to every write from now on.';
  };
  return (
    <Page
      title={`Settings of ${type}`}
      above={<a href={wayTo(['schemas'])}>Schemas</a>}
      lead={<a href={`${BASE}/docs/types`}>Which settings there are</a>}
      wide
    >
      <Content of={settings} what="settings">
        {(stored) => (
          <JsonForm
            key={stored?.etag}
            label="Settings"
            editorLabel="Settings as JSON"
            what="This type"
            first={printed(settingsIn(stored?.document))}
            pointer="/data/attributes"
            hint={HINT}
            onSave={(text) => save(stored, text)}
          />
        )}
      </Content>
    </Page>
  );
}
