/** Whether the panel with the code is open. */
import { signal } from '@preact/signals';

export const showsCode = signal(false);
