/** What the service warns of in a list: a condition that finds nothing because of its name, or what the key leaves out. */
import type { ErrorObject } from '../../../../client/errors.ts';
import { Icon } from '../../../parts/icons.tsx';
import { placeOf } from '../../../parts/problems.tsx';

export function Warnings({ warnings }: { readonly warnings: readonly ErrorObject[] }) {
  if (warnings.length === 0) return null;
  return (
    <div class="notice" role="status">
      <Icon name="alert" />
      <ul>
        {warnings.map((warning, index) => (
          <li key={index}>
            {warning.detail ?? warning.title} <span class="where">{placeOf(warning)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
