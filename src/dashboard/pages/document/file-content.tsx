/** The content of a file on its page: a look at it, saving it, and which documents use it. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/csv.tsx';
import { nameOf } from '../../parts/names.tsx';
import { Picture, wordsOfFile, type Seen } from '../../parts/picture.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { list } from '../../session/documents.ts';
import { files } from '../../session/files.ts';
import { useLoad } from '../../session/load.ts';
import { Linking } from './relationships.tsx';

export function FileContent({ file }: { readonly file: Seen }) {
  const name = nameOf(file) ?? '';
  const { error, isBusy, run } = useRun(async () => {
    download(await files.value.url(file, { download: true }), name);
  });
  return (
    <>
      <section class="form-part" aria-label="Content">
        <h2>Content</h2>
        <div class="file-content">
          <Picture file={file} alt={name} width={1024} />
          <p class="soft">{wordsOfFile(file)}</p>
          <Button icon="down" disabled={isBusy} onClick={run}>
            Download
          </Button>
          <Problems error={error} />
        </div>
      </section>
      <Users file={file} />
    </>
  );
}

/** The documents that have a file, as the settings of types with files name them. */
function Users({ file: { type, id } }: { readonly file: Link }) {
  const { value: types } = useLoad(
    (signal) =>
      list(pathOf('core.type'), { 'filter[files]': '{"$exists":true}', 'page[limit]': '50' }, signal).then(
        ({ documents }) => documents.flatMap(attachingIn),
        () => [],
      ),
    [type, id],
  );
  if (types === undefined || types.length === 0) return null;
  return (
    <section class="form-part" aria-label="What uses this file">
      <h2>What uses this file</h2>
      <div class="fields">
        {types.map(({ from, through }) => (
          <Linking
            key={`${from} ${through}`}
            name={through}
            from={from}
            path={pathOf(from)}
            query={{ 'filter[*]': JSON.stringify({ [`${through}.id`]: { $oid: id } }) }}
          />
        ))}
      </div>
    </section>
  );
}

/** The relationships of a type that have files. */
function attachingIn({ attributes = {} }: Resource) {
  const { name, files: names } = attributes;
  if (typeof name !== 'string' || !Array.isArray(names)) return [];
  return names.map((through) => ({ from: name, through: String(through) }));
}
