/** What the service sends to others: calls of a webhook, or mails. */
import { wayTo } from '../route.ts';
import { ask, askMeta, useLoad } from '../session/service.ts';
import { Button, notify, Problems, useRun } from './button.tsx';
import { Table } from './page.tsx';
import { countText, Time } from './words.tsx';

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly document: { readonly type: string; readonly id: string };
  readonly created: string;
  readonly tries: number;
  readonly failure: string | null;
  readonly 'given-up'?: string;
}

interface Deliveries {
  readonly waiting: number;
  readonly dead: number;
  readonly deliveries: readonly Delivery[];
}

interface QueueProps {
  readonly path: string;
  /** What one of it is, and several are. */
  readonly one: string;
  readonly many: string;
  /** Of the table. */
  readonly label: string;
}

/** What waits to be sent, and what was given up. */
export function Queue({ path, one, many, label }: QueueProps) {
  const { value, error, reload } = useLoad((signal) => askMeta<Deliveries>('GET', path, { signal }), [path]);
  const again = useRun(async (ids: '*' | readonly string[]) => {
    await ask('POST', path, { body: { meta: { ids } } });
    notify('Queued again.');
    reload();
  });
  if (value === undefined) return <Problems error={error} />;
  const { waiting, dead, deliveries } = value;
  return (
    <>
      <p>
        {countText(waiting)} {waiting === 1 ? one : many} pending,{' '}
        <span class={dead > 0 ? 'bad' : undefined}>{countText(dead)} given up</span>.{' '}
        <Button look="link" onClick={reload}>
          Refresh
        </Button>{' '}
        {dead > 0 && (
          <Button look="link" onClick={() => again.run('*')}>
            Retry all failed
          </Button>
        )}
      </p>
      <Problems error={again.error} />
      {deliveries.length > 0 && (
        <Table
          label={label}
          rows={deliveries}
          columns={[
            { head: 'Event', cell: ({ event }) => event },
            {
              head: 'Document',
              class: 'mono',
              cell: ({ document: { type, id } }) =>
                type.startsWith('core.') ? id : <a href={wayTo(['documents', type, id])}>{id}</a>,
            },
            { head: 'Written', cell: ({ created }) => <Time iso={created} /> },
            { head: 'Tries', class: 'number', cell: ({ tries }) => tries },
            {
              head: 'Last result',
              class: 'wrap',
              cell: ({ failure }) => failure ?? 'pending',
            },
            {
              head: 'Actions',
              isUnseen: true,
              cell: ({ id, 'given-up': givenUp }) =>
                givenUp !== undefined && (
                  <Button look="link" onClick={() => again.run([id])}>
                    Retry
                  </Button>
                ),
            },
          ]}
        />
      )}
    </>
  );
}
