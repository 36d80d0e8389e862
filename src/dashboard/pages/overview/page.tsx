/** The first page of an application: its types, and where to begin when there are none. */
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { application } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';

export default function Overview() {
  const open = application.value;
  const { value: types, error } = useLoad(readTypes, [open?.id]);
  return (
    <Page title={open?.name ?? 'Overview'} lead={open && <code>{open.id}</code>}>
      <Problems error={error} />
      {types === undefined && error === undefined && <Loading what="types" />}
      {types?.length === 0 && <Empty title="This application has no documents yet." />}
      <ul class="tiles">
        {types?.map(({ name, documents }) => (
          <li key={name}>
            <a class="tile" href={wayTo(['documents', name])}>
              <strong>{name}</strong>
              <span class="soft">
                {documents === undefined ? '' : `${documents.toLocaleString()} documents`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
