/** What an application uses, as `npm run app -- usage` prints it: two tables, of its types and of its API keys. */
interface Requests {
  readonly requests: number;
  readonly errors: number;
}

interface TypeUsage extends Requests {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
  readonly indexes: number;
  readonly indexed: readonly { readonly path: string; readonly built: number }[];
  readonly calls: number;
  readonly 'rows-read': number;
  readonly 'rows-written': number;
}

export interface Usage extends Requests {
  readonly documents: number;
  readonly bytes: number;
  readonly 'api-keys': readonly (Requests & { readonly id: string; readonly name: string | null })[];
  readonly types: readonly TypeUsage[];
}

const WIDTH = 14;

export function usageText({ requests, errors, types, 'api-keys': keys }: Usage): string {
  const counted = keys.toSorted((one, other) => other.requests - one.requests);
  return [
    rowOf(
      ['documents', 'bytes', 'indexes', 'requests', 'errors', 'calls', 'rows read', 'rows written'],
      'type',
    ),
    ...types.map((each) =>
      rowOf(
        [
          ...[each.documents, each.bytes, each.indexes, each.requests, each.errors],
          ...[each.calls, each['rows-read'], each['rows-written']],
        ],
        each.name,
      ),
    ),
    '',
    rowOf(['requests', 'errors'], 'API key'),
    ...counted.map((each) =>
      rowOf([each.requests, each.errors], each.name === null ? each.id : `${each.id}  ${each.name}`),
    ),
    rowOf([requests, errors], 'all together'),
  ].join('\n');
}

function rowOf(cells: readonly (number | string)[], name: string): string {
  const padded = cells.map((each) =>
    (typeof each === 'number' ? each.toLocaleString('en') : each).padStart(WIDTH),
  );
  return `${padded.join('')}  ${name}`;
}
