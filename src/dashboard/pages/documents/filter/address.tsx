/** The address that a view makes, as a program would ask for it. */
import { Copy } from '../../../parts/copy.tsx';
import { addressOf, type View } from '../view.ts';

export function Address({ type, view }: { readonly type: string; readonly view: View }) {
  const { encoded, read } = addressOf(type, view);
  return (
    <p class="address">
      <span class="soft">GET</span>
      <code tabIndex={0} aria-label="Address of this list" title={encoded}>
        {read}
      </code>
      <Copy text={encoded} label="Copy the address" />
    </p>
  );
}
