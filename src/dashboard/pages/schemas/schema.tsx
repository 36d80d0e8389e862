/** One schema, or a new one: written as JSON, drafted from documents, and held against those that exist. */
import { pathOf } from '../../../client/paths.ts';
import type { Json } from '../../../client/values.ts';
import { checkSchema } from '../../../schema/check.ts';
import { RunButton } from '../../parts/button.tsx';
import { parsed, stringIn } from '../../parts/fields/json.ts';
import { notify } from '../../parts/toasts.tsx';
import { list } from '../../session/documents.ts';
import { printedPlainly, readExactly } from '../document/draft.ts';
import type { Opened, Sort } from '../document/sort.ts';
import { BoundJson } from '../document/value-row.tsx';
import { ByForm } from './by-form.tsx';
import { completeSchema } from './complete.ts';
import { Count } from './count.tsx';
import { schemaFrom } from './infer.ts';

/** How many documents a draft is made from. */
const SAMPLE = 200;

export const BLANK: Json = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'object', properties: {} } },
};

const targetIn = ({ draft }: Opened) => stringIn(draft.attributes['target']);

const withContent = ({ draft }: Opened, content: Json) => ({
  ...draft,
  attributes: { ...draft.attributes, content },
});

const TARGETS = 'A type of documents, or core.user, core.external-user, core.user-group.';

export const SCHEMAS: Sort = {
  type: 'core.schema',
  steps: ['schemas'],
  all: 'Schemas',
  what: 'schema',
  title: ({ target }) => stringIn(target) || undefined,
  known: { target: { title: 'Type', description: TARGETS } },
  check: ({ content = {} }) =>
    checkSchema(parsed(printedPlainly(content))).map(({ pointer, detail }) => ({
      pointer: `/attributes/content${pointer}`,
      message: detail,
    })),
  deletion: 'Writes are no longer checked against it.',
  saved: 'Saved. Every write must now satisfy it.',
  actions: (open) => <RunButton work={() => drafted(open)}>Draft from documents</RunButton>,
  form: (open) => {
    const { content = {} } = open.draft.attributes;
    const set = (next: Json) => open.setDraft(withContent(open, next));
    return (
      <div key={open.turn} class="stack">
        <ByForm content={content} onContent={set} />
        <BoundJson<Json>
          label="Schema as JSON"
          value={content}
          pointer="/attributes/content"
          print={printedPlainly}
          read={readExactly}
          complete={completeSchema}
          onValue={set}
        />
        <p class="hint">
          It looks at <code>attributes</code> and <code>relationships</code> of the whole document. Ctrl-Space
          offers keywords.
        </p>
      </div>
    );
  },
  below: (open) => (
    <Count type={targetIn(open)} text={printedPlainly(open.draft.attributes['content'] ?? {})} />
  ),
};

/** Writes what all of some documents satisfy in the place of what is there. */
async function drafted(open: Opened): Promise<void> {
  const target = targetIn(open);
  const query = { 'page[size]': String(SAMPLE), 'page[after]': '', 'page[count]': 'false' };
  const { documents } = await list(pathOf(target), query);
  if (documents.length === 0) throw new Error(`There are no documents of type ${target} yet.`);
  // What is drafted is JSON.
  const undo = open.show(withContent(open, schemaFrom(documents) as Json));
  notify(`Drafted from ${documents.length} documents. Remove what is only by chance.`, undo);
}
