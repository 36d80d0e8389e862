/** What the controls of values are given. */
import type { Json } from '../../../../client/values.ts';

export interface ControlProps {
  readonly value: Json;
  readonly onValue: (value: Json) => void;
  /** The name of the control, where no label stands for it. */
  readonly label: string;
  readonly ties: Ties;
  readonly isReadOnly: boolean;
}

/** The same for what has parts. */
export interface PartsProps extends ControlProps {
  readonly pointer: string;
  readonly depth: number;
}

/** What ties a control to its label and to what is wrong. */
interface Ties {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}
