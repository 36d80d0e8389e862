/** An application as a file: exported, imported, and its backups. */
import { useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import { Button, LineFaults, Problems, useRun, useWork, WorkButton } from '../../parts/button.tsx';
import { Field, SelectField } from '../../parts/fields/form.tsx';
import { save } from '../../parts/files.tsx';
import { Card, Content, Page } from '../../parts/page.tsx';
import { bytesText, countText } from '../../parts/words.tsx';
import { APPLICATION, application } from '../../session/credentials.ts';
import { askMeta, BASE, useLoad } from '../../session/service.ts';
import { ACCEPTED, show } from '../documents/import/file.tsx';
import { notifyOfImport } from '../documents/many.ts';
import { exportTypes, importLines, isOfExport, readHeld, type Imported } from './transfer.ts';

export default function Transfer() {
  const id = application.value?.id ?? '';
  return (
    <Page
      title="Export and import"
      lead="Documents with all their metadata; users, groups, keys, schemas and aggregates."
    >
      <Export id={id} />
      <Import id={id} />
      <Backups id={id} />
    </Page>
  );
}

function Export({ id }: { readonly id: string }) {
  const { value: held = [], error, isLoading } = useLoad((signal) => readHeld(id, signal), [id]);
  const [type, setType] = useState('');
  const work = useWork<number>(async (report, signal) => {
    const chosen = held.filter(({ name }) => type === '' || name === type);
    const file = await exportTypes(id, chosen, type === '', report, signal);
    save(file, `${type === '' ? id : type}.ndjson`);
  });
  return (
    <Card title="Export">
      <p class="hint">The browser keeps the file in memory. For large applications, use the command line.</p>
      <Problems error={error ?? work.error} />
      <div class="toolbar">
        <SelectField
          label="What to export"
          value={type}
          options={[
            ['', 'The whole application'],
            ...held.map(({ name, documents }) => [name, `${name} (${countText(documents)})`] as const),
          ]}
          onValue={setType}
        />
        <WorkButton of={work} look="primary" disabled={isLoading}>
          Export
        </WorkButton>
      </div>
      {work.progress !== undefined && <p role="status">{countText(work.progress)} lines</p>}
    </Card>
  );
}

function Import({ id }: { readonly id: string }) {
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<Imported>();
  const work = useWork<number>(async (report, signal) => {
    setReport(undefined);
    if (file === undefined) return;
    if (!(await isOfExport(file))) {
      show(file);
      return;
    }
    const imported = await importLines(id, file, report, signal);
    setReport(imported);
    void notifyOfImport(imported.made);
  });
  return (
    <Card title="Import">
      <p class="hint">
        Import the lines of an export. Nothing that exists is changed; the same file can be imported again.
        CSV and other JSON become documents of one type.
      </p>
      <Problems error={work.error} />
      <div class="toolbar">
        <Field
          label="File"
          control={(ties) => (
            <input
              {...ties}
              type="file"
              accept={ACCEPTED}
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
          )}
        />
        <WorkButton of={work} look="primary" disabled={file === undefined}>
          Import
        </WorkButton>
      </div>
      {report === undefined && work.progress !== undefined && (
        <p role="status">{countText(work.progress)} stored</p>
      )}
      {report !== undefined && (
        <div role="status">
          <p>
            {countText(report.stored)} stored, {countText(report.unchanged)} existed already,{' '}
            {countText(report.refused.length)} refused.
          </p>
          <LineFaults faults={report.refused} />
        </div>
      )}
    </Card>
  );
}

interface Backup {
  readonly name: string;
  readonly bytes: number;
}

/** The backups of an application: those that there are, and one at once. */
function Backups({ id }: { readonly id: string }) {
  const path = pathOf(APPLICATION, id, 'backups');
  const backups = useLoad(
    async (signal) => {
      const listed = askMeta<{ backups: readonly Backup[] }>('GET', path, { signal });
      return (await listed.catch(noneWithoutBucket))?.backups ?? null;
    },
    [id],
  );
  const { error, isBusy, run } = useRun(async () => {
    for (let isWhole = false; !isWhole;) {
      ({ whole: isWhole = true } = await askMeta<{ whole?: boolean }>('POST', path));
    }
    backups.reload();
  });
  return (
    <Card title="Backups">
      <Problems error={error} />
      <Content of={backups} what="backups">
        {(all) =>
          all === null ? (
            <p class="notice">
              The service has no bucket for backups. <a href={`${BASE}/docs/backups`}>How to bind one</a>
            </p>
          ) : (
            <>
              {all.length === 0 && (
                <p class="hint">
                  No backups yet. <code>npm run app -- restore</code> puts one back.
                </p>
              )}
              <ul>
                {all.toReversed().map(({ name, bytes }) => (
                  <li key={name}>
                    <code>{name}</code> <span class="soft">{bytesText(bytes)}</span>
                  </li>
                ))}
              </ul>
              <Button disabled={isBusy} onClick={run}>
                {isBusy ? 'Backing up…' : 'Back up now'}
              </Button>
            </>
          )
        }
      </Content>
    </Card>
  );
}

function noneWithoutBucket(error: unknown): null {
  if (error instanceof ForedgeError && error.code === 'not-configured') return null;
  throw error;
}
