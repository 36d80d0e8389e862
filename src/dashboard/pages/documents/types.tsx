/** The types of an application as a table: how many documents each has, and for the operator how large it is. */
import { useState } from 'preact/hooks';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Icon } from '../../parts/icons.tsx';
import { bytesText, countText } from '../../parts/numbers.ts';
import { Problems } from '../../parts/problems.tsx';
import { go, wayTo } from '../../route.ts';
import { application, isOperator } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes, type StoredType } from '../../session/types.ts';

/** Rows that the table has at most: whoever looks for one of more types it by its name. */
const SHOWN = 500;

export function Types() {
  const { value: types, error } = useLoad(readTypes, [application.value?.id]);
  const [name, setName] = useState('');
  const wanted = name.trim().toLowerCase();
  const found = types?.filter((each) => each.name.toLowerCase().includes(wanted)) ?? [];
  return (
    <Page
      title="Documents"
      lead="Each type is a collection of its own: it begins with its first document."
      actions={<Another name={name} onName={setName} />}
    >
      <Problems error={error} />
      {types === undefined && error === undefined && <Loading what="types" />}
      {types?.length === 0 && (
        <Empty title="There are no documents yet.">
          <p>The types of documents would stand here, with how many there are of each.</p>
          <a class="button primary" href={wayTo(['overview'])}>
            Make the first one
          </a>
        </Empty>
      )}
      {found.length > 0 && <Table types={found.slice(0, SHOWN)} />}
      {found.length > SHOWN && (
        <p class="hint">
          {countText(SHOWN)} of {countText(found.length)} types are shown. Write a part of a name to see
          others.
        </p>
      )}
      {types !== undefined && types.length > 0 && found.length === 0 && (
        <Empty title={`No type has “${name.trim()}” in its name.`}>
          <p>Enter opens it all the same: a type is there as soon as it has a document.</p>
        </Empty>
      )}
    </Page>
  );
}

interface AnotherProps {
  readonly name: string;
  readonly onName: (name: string) => void;
}

/** A line that finds types as one writes. Enter opens a type by its name: one that nobody has used is empty. */
function Another({ name, onName }: AnotherProps) {
  return (
    <form
      class="another"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') go(wayTo(['documents', name.trim()]));
      }}
    >
      <input
        type="text"
        aria-label="Type"
        placeholder="Find or open a type"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={({ currentTarget }) => {
          onName(currentTarget.value);
        }}
      />
      <button class="button" type="submit">
        <Icon name="documents" /> Open
      </button>
    </form>
  );
}

function Table({ types }: { readonly types: readonly StoredType[] }) {
  const isSized = isOperator.value;
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table class="table types" aria-label="Types">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col" class="number">
              Documents
            </th>
            {isSized && (
              <>
                <th scope="col" class="number">
                  Size
                </th>
                <th scope="col" class="number">
                  Learned indexes
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {types.map(({ name, documents, bytes, indexes }) => (
            <tr key={name}>
              <td>
                <a href={wayTo(['documents', name])}>{name}</a>
              </td>
              <td class="number">
                {documents === undefined ? <span class="soft">by rights</span> : countText(documents)}
              </td>
              {isSized && (
                <>
                  <td class="number">{bytes === undefined ? '' : bytesText(bytes)}</td>
                  <td class="number">{indexes === undefined ? '' : countText(indexes)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
