/** The page that the route names. */
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PAGES, type Entry, type Needs } from '../pages/pages.ts';
import { Empty, Loading, Page } from '../parts/page.tsx';
import { Problems } from '../parts/problems.tsx';
import { route, wayTo, type PageProps } from '../route.ts';
import { application, isOperator, mayList } from '../session/credentials.ts';

/** The name of the page that is open. */
export function nameOfPage(): string {
  const [name] = route.value.steps;
  return name ?? openPages()[0]?.name ?? '';
}

/** The pages that these credentials can open, in the order of the menu. */
export function openPages(): readonly Entry[] {
  return PAGES.filter(({ needs }) => missing(needs) === undefined && (!isList(needs) || mayList(needs)));
}

function isList(needs: Needs): boolean {
  return needs.startsWith('/');
}

/** What is missing for a page, in words; undefined where it can be opened. */
function missing(needs: Needs): string | undefined {
  if (!isList(needs) && !isOperator.value) return 'This page is for operators';
  if (needs !== 'operator' && application.value === undefined) return 'Open an application first';
  return undefined;
}

export function Current() {
  const name = nameOfPage();
  const entry = PAGES.find((page) => page.name === name);
  const [shown, setShown] = useState<{ readonly name: string; readonly Shown: ComponentType<PageProps> }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setError(undefined);
    // A page that arrives late must not take the place of one that was opened meanwhile.
    let isLeft = false;
    entry?.load().then(
      ({ default: Shown }) => {
        if (!isLeft) setShown({ name, Shown });
      },
      (cause: unknown) => {
        if (!isLeft) setError(cause);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [entry]);
  if (name === '') return <NoPage title="These credentials may list nothing" />;
  if (entry === undefined) return <NoPage title="Page not found" />;
  const lacks = missing(entry.needs);
  if (lacks !== undefined) return <NoPage title={lacks} />;
  if (error !== undefined) return <Problems error={error} />;
  if (shown?.name !== name) return <Loading what={entry.title.toLowerCase()} />;
  return (
    <Guard key={`${name}/${application.value?.id ?? ''}`}>
      <shown.Shown steps={route.value.steps.slice(1)} />
    </Guard>
  );
}

function NoPage({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <Empty title="Nothing to see here.">
        <a href={wayTo([])}>Go to the overview</a>
      </Empty>
    </Page>
  );
}

/** A fault of a page is shown in its place, and leaves the rest standing. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Page title="This page has failed">
        <Problems error={this.state.error} />
      </Page>
    );
  }
}
