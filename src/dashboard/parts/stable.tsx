/** A component that is drawn again only when something of what it is given has changed. */
import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';

export function stable<Props extends object>(Shown: FunctionComponent<Props>): FunctionComponent<Props> {
  return function Stable(props) {
    return useMemo(() => <Shown {...props} />, Object.values(props));
  };
}
