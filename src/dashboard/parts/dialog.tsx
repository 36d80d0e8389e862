/** Dialogs: the browser's own element, so that focus stays inside, Escape closes, and programs are told. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { Problems } from './problems.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Wide enough for two columns or an editor. */
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** An open dialog: render it while it is to be seen. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} class={wide ? 'dialog wide' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button class="bare" type="button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** The words on the button: what will be done. */
  readonly action: string;
  /** What must be typed first, for what nobody can undo. */
  readonly typed?: string;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** Asks before something is done that is not easily undone. It closes when that is done, and shows why when it was not. */
export function Confirm({ title, action, typed, onClose, onConfirm, children }: ConfirmProps) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const id = useId();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <div class="dialog-body">
          {children}
          {typed !== undefined && (
            <div class="field">
              <label for={id}>
                Type <code>{typed}</code> to go on
              </label>
              <input
                id={id}
                type="text"
                autocomplete="off"
                value={text}
                onInput={(event) => {
                  setText(event.currentTarget.value);
                }}
              />
            </div>
          )}
          <Problems error={error} />
        </div>
        <footer>
          <button class="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            class="button danger"
            type="submit"
            disabled={isBusy || (typed !== undefined && text !== typed)}
          >
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
