/** What of an application needs attention: rules that would be refused or warned of now, and lists that writes wait for. */
import { pathOf } from '../../../client/paths.ts';
import { Button, Opener } from '../../parts/button.tsx';
import { Dialog } from '../../parts/fields/dialog.tsx';
import { stringIn, type Members } from '../../parts/fields/json.ts';
import { Empty } from '../../parts/page.tsx';
import { LoadedTable } from '../../parts/table.tsx';
import { APPLICATION } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { askMeta } from '../../session/service.ts';

export function Findings({ id }: { readonly id: string }) {
  return <Opener dialog={(close) => <Found id={id} onClose={close} />}>Check what is stored</Opener>;
}

function Found({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const path = pathOf(APPLICATION, id, 'findings');
  const findings = useLoad(async (signal) => {
    const { findings: found = [] } = await askMeta<{ findings: readonly Members[] }>('GET', path, { signal });
    return found;
  }, []);
  return (
    <Dialog
      title="What needs attention"
      wide
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <LoadedTable
        of={findings}
        what="findings"
        empty={<Empty title="Nothing needs attention." />}
        columns={[
          {
            head: 'Where',
            isHead: true,
            cell: ({ document, pointer }) => (
              <code>
                {stringIn(document)}
                {stringIn(pointer)}
              </code>
            ),
          },
          { head: 'What', class: 'wrap', cell: ({ detail }) => stringIn(detail) },
        ]}
      />
    </Dialog>
  );
}
