/** The frame of every page: a heading, what can be done here, and the content. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** What stands before the title, as a way back. */
  readonly above?: ComponentChildren;
  /** A sentence that says what the page is for. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Uses all of the width, as tables do. */
  readonly wide?: boolean;
  readonly children?: ComponentChildren;
}

export function Page({ title, above, lead, actions, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Foredge`;
  }, [title]);
  return (
    <div class={wide ? 'page wide' : 'page'}>
      <header class="page-head">
        <div class="page-title">
          {above !== undefined && <p class="page-above">{above}</p>}
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A place that has nothing yet: it says what would stand here, and how to get there. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** What is shown while something loads for the first time. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}
