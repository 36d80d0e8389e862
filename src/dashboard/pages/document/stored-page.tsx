/** The page of a document that is open: it can be deleted, a conflict is shown, and leaving it unsaved asks. */
import type { ComponentChildren } from 'preact';
import type { Link } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { Conflict } from './conflict.tsx';
import { Deletion } from './deletion.tsx';
import type { Draft } from './draft.ts';
import type { useStored } from './stored.ts';

interface StoredPageProps {
  readonly title: string;
  readonly above: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly wide?: boolean;
  /** What else can be done. */
  readonly actions?: ComponentChildren;
  readonly open: ReturnType<typeof useStored>;
  /** Undefined for what is new, and for what nobody deletes. */
  readonly deletable: Link | undefined;
  /** The route of all of them. */
  readonly steps: readonly string[];
  /** What is written; undefined while it cannot be saved. */
  readonly mine: Draft | undefined;
  readonly isDirty: boolean;
  readonly children: ComponentChildren;
}

export function StoredPage(props: StoredPageProps) {
  const { actions, open, deletable, steps, mine, isDirty, children, ...page } = props;
  const { base, theirs, isDeleting, setDeleting } = open;
  return (
    <Page
      {...page}
      actions={
        <>
          {deletable !== undefined && !isDeleting && (
            <Button
              look="danger"
              icon="trash"
              onClick={() => {
                setDeleting(true);
              }}
            >
              Delete
            </Button>
          )}
          {actions}
        </>
      }
    >
      {isDeleting && deletable !== undefined && (
        <Deletion what={page.title} link={deletable} etag={base.etag} steps={steps} onUndo={open.undelete} />
      )}
      {children}
      {theirs !== undefined && mine !== undefined && (
        <Conflict
          base={base.draft}
          mine={mine}
          theirs={theirs.draft}
          onClose={open.dismiss}
          onSave={open.resolve}
        />
      )}
      {!isDeleting && <Unsaved isDirty={isDirty} what={page.title} />}
    </Page>
  );
}
