/** The backups of an application: those that there are, and one at once. */
import { useState } from 'preact/hooks';
import { bytesText } from '../../parts/numbers.ts';
import { Loading } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useLoad } from '../../session/load.ts';
import { askAsOperator, pathOfApplications } from '../../session/service.ts';

interface Backup {
  readonly name: string;
  readonly bytes: number;
}

export function Backups({ id }: { readonly id: string }) {
  const { value, error, reload } = useLoad(
    async (signal) => {
      const { body } = await askAsOperator('GET', pathOfApplications(id, 'backups'), { signal });
      return (body.meta as unknown as { readonly backups: readonly Backup[] }).backups;
    },
    [id],
  );
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const backUp = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      for (let isWhole = false; !isWhole;) {
        const { body } = await askAsOperator('POST', pathOfApplications(id, 'backups'));
        isWhole = (body.meta as { readonly whole?: boolean } | undefined)?.whole ?? true;
      }
      reload();
    } catch (cause) {
      setFailure(cause);
    }
    setBusy(false);
  };
  return (
    <section class="card">
      <h2>Backups</h2>
      <Problems error={error ?? failure} />
      {value === undefined && error === undefined && <Loading what="backups" />}
      {value?.length === 0 && <p class="hint">There is none yet. `npm run app -- restore` puts one back.</p>}
      <ul class="backups">
        {value?.toReversed().map(({ name, bytes }) => (
          <li key={name}>
            <code>{name}</code> <span class="soft">{bytesText(bytes)}</span>
          </li>
        ))}
      </ul>
      {value !== undefined && (
        <button class="button" type="button" disabled={isBusy} onClick={() => void backUp()}>
          {isBusy ? 'Backing up…' : 'Back up now'}
        </button>
      )}
    </section>
  );
}
