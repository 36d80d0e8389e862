/** The first minute of an application: a first type and document by a form, the request that did it, and where to go next. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { pathOf } from '../../../client/paths.ts';
import { asCurl } from '../../frame/code.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { ask, exchanges } from '../../session/service.ts';
import { textOfValue } from '../documents/filter/condition.ts';
import { Made, type FirstDocument } from './made.tsx';
import { Onward } from './onward.tsx';
import { documentOf } from '../../session/answers.ts';

/** A field of the form; the value is text as it is typed. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

const EXAMPLE: readonly Entry[] = [
  { name: 'title', value: 'On edges' },
  { name: 'words', value: '1200' },
];

interface FirstMinuteProps {
  /** The document, once it is made. */
  readonly made: FirstDocument | undefined;
  readonly onMade: (made: FirstDocument) => void;
}

export function FirstMinute({ made, onMade }: FirstMinuteProps) {
  return (
    <ol class="steps">
      <li class={made === undefined ? 'step now' : 'step done'}>
        <h2>Make a first document</h2>
        {made === undefined ? (
          <FirstForm onMade={onMade} />
        ) : (
          <p>
            <Icon name="check" /> Done: the type <code>{made.document.type}</code> began with it.
          </p>
        )}
      </li>
      <li class={made === undefined ? 'step later' : 'step now'}>
        <h2>See it, and the request that made it</h2>
        {made === undefined ? (
          <p class="soft">It will be a row of a table, and a line for your shell.</p>
        ) : (
          <>
            <Made {...made} />
            <CodeBlock text={made.curl} label="The same as curl" />
          </>
        )}
      </li>
      <li class={made === undefined ? 'step later' : 'step now'}>
        <h2>Go on</h2>
        <Onward />
      </li>
    </ol>
  );
}

function FirstForm({ onMade }: { readonly onMade: (made: FirstDocument) => void }) {
  const [type, setType] = useState('articles');
  const [entries, setEntries] = useState(EXAMPLE);
  const { error, isBusy, submit } = useSubmit(async () => {
    const attributes = Object.fromEntries(
      entries.filter(({ name }) => name !== '').map(({ name, value }) => [name, valueOf(value)]),
    );
    const answer = await ask('POST', pathOf(type), { body: { data: { type, attributes } } });
    const document = documentOf(answer.body);
    const [exchange] = exchanges.value;
    if (document !== null && exchange !== undefined) onMade({ document, curl: asCurl(exchange) });
  });
  const change = (at: number, next: Partial<Entry>) => {
    setEntries(entries.map((entry, index) => (index === at ? { ...entry, ...next } : entry)));
  };
  return (
    <form class="first-form" onSubmit={submit} aria-label="A first document">
      <p class="soft">
        A document has a type and fields, and needs nothing else: no table is declared before.
      </p>
      <TextField label="Type" required value={type} onText={setType} />
      {entries.map(({ name, value }, index) => (
        <div class="pair" key={index}>
          <TextField
            label={`Field ${index + 1}`}
            value={name}
            onText={(text) => {
              change(index, { name: text });
            }}
          />
          <TextField
            label={`Value ${index + 1}`}
            value={value}
            onText={(text) => {
              change(index, { value: text });
            }}
          />
        </div>
      ))}
      <Problems error={error} />
      <div class="actions">
        <button class="button primary" type="submit" disabled={isBusy}>
          Make it
        </button>
        <button
          class="button"
          type="button"
          onClick={() => {
            setEntries([...entries, { name: '', value: '' }]);
          }}
        >
          <Icon name="add" /> Another field
        </button>
      </div>
    </form>
  );
}

/** A number where it is one, else text: as JSON would have it. */
function valueOf(text: string): Json {
  return JSON.parse(textOfValue(text, 'null')) as Json;
}
