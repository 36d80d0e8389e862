/**
 * The page of a type of the service's own: all its documents as a list, or one of them. Where the service itself
 * describes the attributes, a form needs no words of ours.
 */
import { useMemo } from 'preact/hooks';
import { Collection, NewLink, type CollectionProps } from '../../parts/collection.tsx';
import { isItems, isMembers, stringIn, type Members } from '../../parts/fields/json.ts';
import { Content, Page } from '../../parts/page.tsx';
import type { PageProps } from '../../route.ts';
import { BASE, useLoad } from '../../session/service.ts';
import { Document } from './document.tsx';
import type { Draft } from './draft.ts';
import type { Sort } from './stored.ts';

export type List = Omit<CollectionProps, 'title' | 'type' | 'what'>;

/** `blank` is what a new one begins as: the route may say more of it. */
export function ownPage(sort: Sort, list: List, blank: () => Partial<Draft> = () => ({})) {
  const { type, steps, all, what } = sort;
  const add = () => <NewLink steps={steps}>{`New ${what}`}</NewLink>;
  return ({ steps: [id] }: PageProps) => {
    if (id === undefined)
      return <Collection title={all} type={type} what={`${what}s`} actions={add} {...list} />;
    const first = blank();
    return <Document key={id + JSON.stringify(first)} sort={sort} id={id} blank={first} />;
  };
}

interface Described {
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties: { readonly attributes: { readonly properties: Members } } }>
    >;
  };
}

/** What can be written of a type. An attribute that may be null is what else it may be. */
async function readKnown(type: string): Promise<NonNullable<Sort['known']>> {
  // The service answers as its documentation says.
  const { components } = (await (await fetch(`${BASE}/openapi.json`)).json()) as Described;
  const said = Object.entries(components.schemas[type]?.properties.attributes.properties ?? {});
  const known = said.flatMap(([name, schema]) => {
    if (!isMembers(schema) || schema['readOnly'] === true) return [];
    const { anyOf, description, ...plain } = schema;
    const other = isItems(anyOf) ? anyOf.find((each) => isMembers(each) && each['type'] !== 'null') : {};
    const words = name.replaceAll('-', ' ');
    const title = words.charAt(0).toUpperCase() + words.slice(1);
    // One that is not set may be true: its default is said in its words.
    const choices = isMembers(other) && other['type'] === 'boolean' && { enum: [true, false] };
    const hint = stringIn(description).replaceAll('`', '');
    return [
      [name, { title, description: hint, ...plain, ...(isMembers(other) && other), ...choices }] as const,
    ];
  });
  return Object.fromEntries(known);
}

export function describedPage(sort: Omit<Sort, 'known'>, list: List) {
  return (props: PageProps) => {
    const described = useLoad(() => readKnown(sort.type), []);
    const { value: known } = described;
    const Shown = useMemo(() => known && ownPage({ ...sort, known }, list), [known]);
    if (Shown) return <Shown {...props} />;
    return (
      <Page title={sort.all}>
        <Content of={described} what={sort.all.toLowerCase()}>
          {() => null}
        </Content>
      </Page>
    );
  };
}
