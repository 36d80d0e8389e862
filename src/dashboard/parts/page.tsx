/** The frame of every page, and of what is loaded in it. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Loaded } from '../session/load.ts';
import { statusOf } from '../session/service.ts';
import { Problems } from './problems.tsx';
import { Button } from './button.tsx';

interface PageProps {
  readonly title: string;
  /** What stands before the title, as a way back. */
  readonly above?: ComponentChildren;
  /** A sentence that says what the page is for. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Uses all of the width, as tables do. */
  readonly wide?: boolean | undefined;
  readonly children?: ComponentChildren;
}

export function Page({ above, wide = false, children, ...head }: PageProps) {
  return (
    <PageFrame above={above} wide={wide}>
      <PageHead {...head} />
      {children}
    </PageFrame>
  );
}

export function PageFrame({ above, wide = false, children }: Pick<PageProps, 'above' | 'wide' | 'children'>) {
  return (
    <div class={wide ? 'page wide' : 'page'}>
      {above !== undefined && <p class="fine above">{above}</p>}
      {children}
    </div>
  );
}

export function PageHead({ title, lead, actions }: Pick<PageProps, 'title' | 'lead' | 'actions'>) {
  useEffect(() => {
    document.title = `${title} · Foredge`;
  }, [title]);
  return (
    <header class="page-head row">
      <div class="page-title">
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div class="row">{actions}</div>}
    </header>
  );
}

interface CardProps {
  readonly title: string;
  /** What stands after the title. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page that has a head of its own. */
export function Card({ title, beside, actions, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <header class="row spread">
        <h2>
          {title} {beside}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** A place that has nothing yet: it says what would stand here, and how to get there. */
export function Empty({ title, children }: Pick<PageProps, 'title' | 'children'>) {
  return (
    <div class="empty stack">
      <p class="big">{title}</p>
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

interface ContentProps<T> {
  readonly of: Loaded<T>;
  /** As in "Loading keys…". */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What was loaded; why it was not, or that it is loading. */
export function Content<T>({ of: { value, error }, what, children }: ContentProps<T>) {
  return (
    <>
      {statusOf(error) === 403 ? (
        <p class="hint">These credentials may not read {what}.</p>
      ) : (
        <Problems error={error} />
      )}
      {value === undefined ? error === undefined && <Loading what={what} /> : children(value)}
    </>
  );
}

interface MoreProps {
  readonly of: { readonly isLoading: boolean; readonly more: (() => void) | null };
  readonly children: string;
}

export function More({ of: { isLoading, more }, children }: MoreProps) {
  return (
    more && (
      <Button disabled={isLoading} onClick={more}>
        {children}
      </Button>
    )
  );
}
