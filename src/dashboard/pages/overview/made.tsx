/** A first document as a row, as the table of its type will show it. */
import type { Resource } from '../../../client/transport.ts';
import { wayTo } from '../../route.ts';
import { Cell } from '../documents/table/cell.tsx';

export interface FirstDocument {
  readonly document: Resource;
  /** The request that made it, for a shell. */
  readonly curl: string;
}

export function Made({ document }: FirstDocument) {
  const { type, id, attributes = {} } = document;
  const names = Object.keys(attributes);
  return (
    <>
      <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
        <table class="table" aria-label="The first document">
          <thead>
            <tr>
              {['id', ...names].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>
                <a class="mono" href={wayTo(['documents', type, id])}>
                  {id}
                </a>
              </td>
              {names.map((name) => (
                <td key={name}>
                  <Cell document={document} name={name} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <p>
        <a href={wayTo(['documents', type])}>Open the table of {type}</a>
      </p>
    </>
  );
}
