/** An open document tells as it happens that somebody else has changed or deleted it, and what, who and when. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { documentIn, queryOfFields } from '../../session/documents.ts';
import { ask, statusOf } from '../../session/service.ts';
import { differencesOf, type Draft } from './draft.ts';
import { columnOf, Differences } from './conflict.tsx';
import { draftIn, type Open } from './stored.ts';
import { LastChange } from './who.tsx';

/** Milliseconds between two looks. */
const EVERY = 5_000;

interface OutdatedProps {
  readonly link: Link;
  readonly open: Open;
  readonly onReload: () => void;
}

export function Outdated({ link, open: { sort, base, isBusy, isDirty }, onReload }: OutdatedProps) {
  const [now, setNow] = useState<Draft | null>();
  // While it is saved here, what has changed is ours.
  const busy = useRef(isBusy);
  busy.current = isBusy;
  useEffect(() => {
    setNow(undefined);
    let { etag } = base;
    if (etag === undefined) return undefined;
    const control = new AbortController();
    const isSaving = () => busy.current;
    const look = async () => {
      if (document.hidden || isSaving()) return;
      const headers = { 'if-none-match': etag };
      const query = queryOfFields(link.type, sort.fields);
      const asked = { query, headers, signal: control.signal };
      const answer = await ask('GET', pathOf(link.type, link.id), asked);
      if (control.signal.aborted || isSaving()) return;
      const read = documentIn(answer);
      const draft = read && draftIn(sort, read);
      ({ etag } = answer);
      // Fields that are not shown may have changed.
      if (draft === null || differencesOf(base.draft, draft).length > 0) setNow(draft);
    };
    const timer = setInterval(() => {
      look().catch((cause: unknown) => {
        // Whoever may not read it any more is told when saving.
        if ((statusOf(cause) ?? 0) >= 400) clearInterval(timer);
      });
    }, EVERY);
    return () => {
      control.abort();
      clearInterval(timer);
    };
  }, [base]);
  if (now === undefined || isBusy) return null;
  return (
    <div class="notice" role="status">
      <p class="row">
        <strong>Somebody else has {now === null ? 'deleted' : 'changed'} this document.</strong>
        {now !== null && <LastChange key={JSON.stringify(now)} link={link} />}
        {isDirty ? (
          <span>Your changes are kept{now !== null && ': when you save, you choose for each field'}.</span>
        ) : (
          <Button onClick={onReload}>Show it as it is now</Button>
        )}
      </p>
      {now !== null && (
        <Differences
          label="What has changed"
          of={differencesOf(base.draft, now)}
          columns={['When you read it', 'Now'].map(columnOf)}
        />
      )}
    </div>
  );
}
