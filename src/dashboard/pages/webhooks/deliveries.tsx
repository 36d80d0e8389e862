/** The calls of a webhook that wait, and those that were given up. */
import { useState } from 'preact/hooks';
import { dateOf } from '../../parts/json.ts';
import { countText } from '../../parts/numbers.ts';
import { Problems } from '../../parts/problems.tsx';
import { Time } from '../../parts/time.tsx';
import { tell } from '../../parts/toasts.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { readDeliveries, sendAgain } from './webhooks.ts';

export function DeliveryTable({ webhook }: { readonly webhook: string }) {
  const { value, error, reload } = useLoad((signal) => readDeliveries(webhook, signal), [webhook]);
  const [failure, setFailure] = useState<unknown>();
  const again = (delivery?: string) => () => {
    setFailure(undefined);
    sendAgain(webhook, delivery).then(() => {
      tell('It is sent again.');
      reload();
    }, setFailure);
  };
  if (value === undefined) return <Problems error={error} />;
  const { waiting, dead, deliveries } = value;
  return (
    <>
      <p class="deliveries-sum">
        {countText(waiting)} {waiting === 1 ? 'call waits' : 'calls wait'},{' '}
        <span class={dead > 0 ? 'bad' : undefined}>{countText(dead)} given up</span>.{' '}
        <button class="link" type="button" onClick={reload}>
          Look again
        </button>
        {dead > 0 && (
          <>
            {' '}
            <button class="link" type="button" onClick={again()}>
              Send all again that were given up
            </button>
          </>
        )}
      </p>
      <Problems error={failure} />
      {deliveries.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                {['Event', 'Document', 'Written', 'Tries', 'What the last try came to', ''].map((head) => (
                  <th key={head} scope="col">
                    {head === '' ? <span class="visually-hidden">What can be done</span> : head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {deliveries.map(
                ({ id, event, document, created, tries, failure: why, 'given-up': givenUp }) => (
                  <tr key={id}>
                    <td>{event}</td>
                    <td class="mono">
                      <a href={wayTo(['documents', document.type, document.id])}>{document.id}</a>
                    </td>
                    <td>
                      <Time date={dateOf(created)} />
                    </td>
                    <td class="number">{tries}</td>
                    <td class="wrap">{why ?? 'not tried yet'}</td>
                    <td>
                      {givenUp !== undefined && (
                        <button class="link" type="button" onClick={again(id)}>
                          Send again
                        </button>
                      )}
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
