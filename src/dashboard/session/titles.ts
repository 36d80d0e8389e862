/** What documents are called by, where the settings of their type say so: read once, when a name is first shown. */
import { computed, effect, signal } from '@preact/signals';
import { pathOf } from '../../client/paths.ts';
import { application, mayList } from './credentials.ts';
import { list } from './documents.ts';

const PATH = pathOf('core.type');

const titles = signal<ReadonlyMap<unknown, unknown>>(new Map());
const id = computed(() => application.value?.id);
let reading: Promise<void> | undefined;

// Another application has others.
effect(() => {
  if (id.value !== undefined) titles.value = new Map();
  reading = undefined;
});

export async function readTitles(): Promise<void> {
  const query = {
    ...{ 'filter[*]': '{"title":{"$ne":null}}', 'fields[core.type]': 'name,title' },
    ...{ 'page[size]': '1000', 'page[count]': 'false' },
  };
  const { documents } = await list(PATH, query).catch(() => ({ documents: [] }));
  titles.value = new Map(documents.map(({ attributes = {} }) => [attributes['name'], attributes['title']]));
}

/** The attribute; undefined where the settings name none. */
export function titleOf(type: string | undefined): string | undefined {
  const title = titles.value.get(type);
  return typeof title === 'string' ? title : undefined;
}

/** Resolves when they are known. Whoever may not read settings goes by what is usual. */
export function titlesRead(): Promise<void> {
  reading ??= mayList(PATH) ? readTitles() : Promise.resolve();
  return reading;
}
