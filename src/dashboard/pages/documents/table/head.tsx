/** The heads of a table: a click sorts by a field, another one the other way round. */
import { Icon } from '../../../parts/icons.tsx';
import { sortedBy } from '../view.ts';

interface HeadProps {
  readonly columns: readonly string[];
  readonly isNumeric: (name: string) => boolean;
  readonly sort: readonly string[];
  readonly onSort: (sort: readonly string[]) => void;
  /** Whether every loaded document is selected. */
  readonly isWhole: boolean;
  readonly onWhole: () => void;
}

export function Head({ columns, isNumeric, sort, onSort, isWhole, onWhole }: HeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" class="choose">
          <input
            type="checkbox"
            aria-label="Select all that are loaded"
            checked={isWhole}
            onChange={onWhole}
          />
        </th>
        {['id', ...columns].map((name) => (
          <th
            key={name}
            scope="col"
            class={name === 'id' ? 'id' : isNumeric(name) ? 'number' : ''}
            aria-sort={directionOf(sort, name)}
          >
            <button
              type="button"
              title={name}
              onClick={() => {
                onSort(sortedBy(sort, name));
              }}
            >
              <span>{name}</span>
              <Icon name="down" />
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function directionOf([first]: readonly string[], name: string): 'ascending' | 'descending' | 'none' {
  if (first === name) return 'ascending';
  return first === `-${name}` ? 'descending' : 'none';
}
