/** Short messages about what was done, perhaps with a way to undo it. They leave by themselves. */
import { signal } from '@preact/signals';
import { Button, IconButton } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
}

/** Milliseconds that a message stays; one that can be undone stays longer. */
const STAYS = 5_000;
const STAYS_TO_UNDO = 12_000;

const toasts = signal<readonly Toast[]>([]);
let last = 0;

export function notify(text: string, undo?: () => void): void {
  const id = (last += 1);
  toasts.value = [...toasts.value, { id, text, ...(undo && { undo }) }];
  setTimeout(() => dismiss(id), undo === undefined ? STAYS : STAYS_TO_UNDO);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast row together" key={id}>
          <span>{text}</span>
          {undo && (
            <Button
              look="link"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
