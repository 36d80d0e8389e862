/** One document: as a form and as JSON, with what it links to, and with who may do what with it. */
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { BLANK } from './draft.ts';
import { Editing } from './editing.tsx';
import { Back } from './about.tsx';
import { readDocument } from './save/requests.ts';

interface DocumentProps {
  readonly type: string;
  /** `new` makes one. */
  readonly id: string;
}

export function Document({ type, id }: DocumentProps) {
  return <Opened key={`${type}/${id}`} type={type} id={id} />;
}

function Opened({ type, id }: DocumentProps) {
  const isNew = id === 'new';
  const { value: read, error } = useLoad(
    (signal) => (isNew ? Promise.resolve({ draft: BLANK, etag: undefined }) : readDocument(type, id, signal)),
    [],
  );
  if (read === undefined)
    return (
      <Page title={isNew ? 'A new document' : id} above={<Back type={type} />}>
        {error === undefined ? <Loading what="the document" /> : <Problems error={error} />}
      </Page>
    );
  if (read === null)
    return (
      <Page title={id} above={<Back type={type} />}>
        <Empty title="This document was deleted.">
          <p>Its id is never used again. Links that lead here stay until somebody removes them.</p>
          <a class="button" href={wayTo(['documents', type])}>
            All documents of {type}
          </a>
        </Empty>
      </Page>
    );
  return <Editing type={type} id={isNew ? undefined : id} read={read} />;
}
