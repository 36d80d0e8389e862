/** One definition, read or new. */
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { route } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { readDocument, type Read } from '../document/save/requests.ts';
import { AGGREGATES, OUTPUTS } from './definition.ts';
import { Back } from './back.tsx';
import { Editor } from './editor.tsx';

export function Opened({ id }: { readonly id: string }) {
  const isNew = id === 'new';
  const { value: read, error } = useLoad(
    (signal) => (isNew ? Promise.resolve(blank()) : readDocument(AGGREGATES, id, signal)),
    [],
  );
  if (read === undefined || read === null)
    return (
      <Page title={isNew ? 'A new aggregate' : id} above={<Back />}>
        <Problems error={error} />
        {read === undefined && error === undefined && <Loading what="the definition" />}
        {read === null && <Empty title="This definition was deleted." />}
      </Page>
    );
  return <Editor id={isNew ? undefined : id} read={read} />;
}

/** A link may say what a new one reads: `#/aggregates/new?input=movies`. */
function blank(): Read {
  const inputType = route.value.query.get('input') ?? '';
  return {
    draft: {
      attributes: { 'input-type': inputType, 'output-type': OUTPUTS, pipeline: [] },
      relationships: {},
    },
    etag: undefined,
  };
}
