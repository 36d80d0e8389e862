/** Dialogs: the browser's own element, so that focus stays inside, Escape closes, and programs are told. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keep } from '../../route.ts';
import { Button, IconButton, Opener, Problems, useSubmit, type ButtonProps } from '../button.tsx';
import { useWindow } from '../window.ts';
import { Elapsed } from '../words.tsx';
import { TextField, useFields, type FieldOf } from './form.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Wide enough for two columns or an editor. */
  readonly wide?: boolean;
  /** Actions. */
  readonly footer?: ComponentChildren;
  /** For a dialog that is a form. */
  readonly onSubmit?: (event: Event) => void;
  readonly children?: ComponentChildren;
}

/** An open dialog: render it while it is to be seen. */
export function Dialog({ title, onClose, wide = false, footer, onSubmit, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once: what is typed next is for the dialog.
  useLayoutEffect(() => element.current?.showModal(), []);
  const content = (
    <>
      <div class="dialog-body stack">{children}</div>
      {footer !== undefined && <footer class="row">{footer}</footer>}
    </>
  );
  return (
    <dialog ref={element} class={wide ? 'dialog wide' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <header class="row spread together">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {onSubmit === undefined ? content : <form onSubmit={onSubmit}>{content}</form>}
    </dialog>
  );
}

interface FormDialogProps<Name extends string> extends Omit<DialogProps, 'footer' | 'onSubmit'> {
  /** The words on the button: what will be done. */
  readonly action: string;
  readonly cancel?: string;
  /** It is not easily undone. */
  readonly isDanger?: boolean;
  /** What stands beside the buttons. */
  readonly note?: ComponentChildren;
  /** What must be typed first, for what nobody can undo. */
  readonly typed?: string | undefined;
  readonly fields?: readonly FieldOf<Name>[];
  /** False while something must be entered first. */
  readonly isReady?: boolean;
  /** What is wrong is shown, and the dialog stays; else it closes. */
  readonly onSubmit: (values: Readonly<Record<Name, string>>) => Promise<void>;
}

/** A dialog that is a form: what is to be done, and a way out. */
export function FormDialog<Name extends string>({
  action,
  cancel = 'Cancel',
  isDanger = false,
  note,
  typed = '',
  fields = [],
  isReady = true,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps<Name>) {
  const { values, controls } = useFields(fields);
  const [text, setText] = useState('');
  const { error, isBusy, submit } = useSubmit(async () => {
    await onSubmit(values);
    dialog.onClose();
  });
  return (
    <Dialog
      {...dialog}
      onSubmit={submit}
      footer={
        <>
          {note && <span class="soft">{note}</span>}
          <Elapsed isBusy={isBusy} />
          <Button onClick={dialog.onClose}>{cancel}</Button>
          <Button look={isDanger ? 'danger' : 'primary'} disabled={isBusy || !isReady || text !== typed}>
            {action}
          </Button>
        </>
      }
    >
      {controls}
      {children}
      {typed !== '' && (
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
      <Problems error={error} />
    </Dialog>
  );
}

interface FormButtonProps<Name extends string>
  extends
    Omit<FormDialogProps<Name>, 'onClose' | 'title'>,
    Pick<ButtonProps, 'disabled' | 'icon' | 'label' | 'look'> {
  /** Of the button, and of the dialog, if that has no other title. */
  readonly words: string;
  readonly title?: string;
}

/** A button that opens a form. */
export function FormButton<Name extends string>(props: FormButtonProps<Name>) {
  const { words, title = words, look, icon, label, disabled, ...form } = props;
  return (
    <Opener
      {...{ look, icon, label, disabled }}
      dialog={(close) => <FormDialog {...form} title={title} onClose={close} />}
    >
      {words}
    </Opener>
  );
}

/** Asks before something is left that is not saved: by a click, by the way back, or by closing the tab. */
export function Unsaved({ isDirty, what }: { readonly isDirty: boolean; readonly what: string }) {
  const [onward, setOnward] = useState<() => void>();
  useWindow('beforeunload', (event) => {
    if (isDirty) event.preventDefault();
  });
  // At once, and not after the next frame: what was just saved or discarded does not ask.
  useLayoutEffect(() => (isDirty ? keep((next) => setOnward(() => next)) : undefined), [isDirty]);
  if (onward === undefined) return null;
  return (
    <FormDialog
      title="Leave without saving?"
      action="Leave without saving"
      cancel="Stay"
      isDanger
      onClose={() => setOnward(undefined)}
      onSubmit={() => {
        onward();
        return Promise.resolve();
      }}
    >
      <p>{what} has unsaved changes.</p>
    </FormDialog>
  );
}
