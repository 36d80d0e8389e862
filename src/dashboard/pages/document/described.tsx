/** Pages of types whose attributes the service itself describes, so that their forms need no words of ours. */
import { useMemo } from 'preact/hooks';
import { isItems, isMembers, stringIn, type Members } from '../../parts/fields/json.ts';
import { Content, Page } from '../../parts/page.tsx';
import type { PageProps } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { BASE } from '../../session/service.ts';
import { ownPage, type List } from './own.tsx';
import type { Sort } from './sort.ts';

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
