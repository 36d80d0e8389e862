/** The way to more of a list, while there is more. */
import { Button } from './button.tsx';

interface MoreProps {
  readonly of: { readonly isLoading: boolean; readonly more: (() => void) | null };
  readonly children: string;
}

export function More({ of: { isLoading, more }, children }: MoreProps) {
  return (
    more && (
      <Button disabled={isLoading} onClick={more}>
        {children}
      </Button>
    )
  );
}
