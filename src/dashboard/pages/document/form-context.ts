/** What all controls of a document share, however deep they stand. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Fault } from '../../parts/json.ts';
import { NO_SHAPE, type Shape } from './shape.ts';

interface FormContext {
  /** What is wrong, at any place. */
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  /** What is known of the type. */
  readonly shape: Shape;
  /** Whether fields are shown that the document does not have. */
  readonly isNew: boolean;
  /** Told that the text at a place does not read, and undefined when it does again. */
  readonly onBroken: (pointer: string, message: string | undefined) => void;
}

export const FormContext = createContext<FormContext>({
  faults: [],
  isReadOnly: false,
  shape: NO_SHAPE,
  isNew: false,
  onBroken: () => undefined,
});

export const useForm = () => useContext(FormContext);
