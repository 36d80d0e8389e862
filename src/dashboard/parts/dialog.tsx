/** Dialogs: the browser's own element, so that focus stays inside, Escape closes, and programs are told. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { TextField } from './field.tsx';
import { Icon } from './icons.tsx';
import { Problems } from './problems.tsx';
import { useSubmit } from './submit.ts';

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

interface FormDialogProps extends DialogProps {
  /** The words on the button: what will be done. */
  readonly action: string;
  readonly isDanger?: boolean;
  /** False while something must be entered first. */
  readonly isReady?: boolean;
  /** What is wrong is shown, and the dialog stays. */
  readonly onSubmit: () => Promise<void>;
}

/** A dialog that is a form: what is to be done, and a way out. */
export function FormDialog({
  action,
  isDanger = false,
  isReady = true,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const { error, isBusy, submit } = useSubmit(onSubmit);
  return (
    <Dialog {...dialog}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          {children}
          <Problems error={error} />
        </div>
        <footer>
          <button class="button" type="button" onClick={dialog.onClose}>
            Cancel
          </button>
          <button
            class={isDanger ? 'button danger' : 'button primary'}
            type="submit"
            disabled={isBusy || !isReady}
          >
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ConfirmProps extends Pick<FormDialogProps, 'title' | 'action' | 'onClose' | 'children'> {
  /** What must be typed first, for what nobody can undo. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<void>;
}

/** Asks before something is done that is not easily undone. It closes when that is done. */
export function Confirm({ typed, onConfirm, children, ...dialog }: ConfirmProps) {
  const [text, setText] = useState('');
  return (
    <FormDialog
      {...dialog}
      isDanger
      isReady={typed === undefined || text === typed}
      onSubmit={async () => {
        await onConfirm();
        dialog.onClose();
      }}
    >
      {children}
      {typed !== undefined && (
        <TextField
          label={
            <>
              Type <code>{typed}</code> to go on
            </>
          }
          value={text}
          onText={setText}
        />
      )}
    </FormDialog>
  );
}
