/** The page that the route names. */
import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useState } from 'preact/hooks';
import { PAGES, type Needs, type PageEntry } from '../pages/pages.ts';
import { Problems } from '../parts/button.tsx';
import { Empty, Loading, Page } from '../parts/page.tsx';
import { route, wayTo } from '../route.ts';
import { application, isOperator, mayList } from '../session/credentials.ts';
import { useLoad } from '../session/service.ts';

/** The name of the page that is open. */
export function nameOfPage(): string {
  const [name] = route.value.steps;
  return name ?? openPages()[0]?.name ?? '';
}

/** The pages that these credentials can open, in the order of the menu. */
export function openPages(): readonly PageEntry[] {
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
  const page = useLoad(async () => ({ name, Shown: (await entry?.load())?.default }), [entry]);
  const { name: loaded, Shown } = page.value ?? {};
  if (name === '') return <NoPage title="These credentials may list nothing" />;
  if (entry === undefined) return <NoPage title="Page not found" />;
  const lacks = missing(entry.needs);
  if (lacks !== undefined) return <NoPage title={lacks} />;
  if (page.error !== undefined) return <Problems error={page.error} />;
  if (loaded !== name || Shown === undefined) return <Loading what={entry.title.toLowerCase()} />;
  return (
    <Guard key={`${name}/${application.value?.id ?? ''}`}>
      <Shown steps={route.value.steps.slice(1)} />
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
function Guard({ children }: { readonly children: ComponentChildren }) {
  const [error, setError] = useState<unknown>();
  useErrorBoundary(setError);
  if (error === undefined) return <>{children}</>;
  return (
    <Page title="This page has failed">
      <Problems error={error} />
    </Page>
  );
}
