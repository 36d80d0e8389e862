/** What is clicked: buttons with words, with an icon alone, that do something, open a dialog, or copy a text. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Problems } from './problems.tsx';
import { useRun } from './run.ts';
import { Icon, type IconName } from './icons.tsx';

export interface ButtonProps {
  /** `link` stands in a line of text, `bare` is an icon alone. */
  readonly look?: 'primary' | 'danger' | 'link' | 'bare' | undefined;
  readonly icon?: IconName | undefined;
  /** What programs are told, where the words alone say too little. */
  readonly label?: string | undefined;
  readonly title?: string;
  readonly 'aria-keyshortcuts'?: string;
  readonly disabled?: boolean | undefined;
  /** For one that is on or off. */
  readonly pressed?: boolean;
  /** Without it the button sends its form. */
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
}

export function Button({ look, icon, label, pressed, onClick, children, ...others }: ButtonProps) {
  return (
    <button
      {...others}
      class={look === 'link' || look === 'bare' ? look : `button ${look ?? ''}`}
      type={onClick === undefined ? 'submit' : 'button'}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />} {children}
    </button>
  );
}

type IconButtonProps = Pick<ButtonProps, 'title' | 'disabled' | 'pressed'> &
  Required<Pick<ButtonProps, 'icon' | 'onClick'>> & { readonly label: string };

export function IconButton({ title, ...button }: IconButtonProps) {
  return <Button {...button} look="bare" title={title ?? button.label} />;
}

interface WorkButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly of: { readonly isBusy: boolean; readonly run: () => void; readonly stop: () => void };
}

/** Begins what takes a while, and stops it. */
export function WorkButton({ of: { isBusy, run, stop }, ...button }: WorkButtonProps) {
  return isBusy ? <Button onClick={stop}>Stop</Button> : <Button {...button} onClick={run} />;
}

interface RunButtonProps extends Omit<ButtonProps, 'onClick' | 'disabled'> {
  readonly work: () => Promise<void>;
}

/** Does something, and says why it was refused. */
export function RunButton({ work, ...button }: RunButtonProps) {
  const { error, isBusy, run } = useRun(work);
  return (
    <>
      <Button {...button} disabled={isBusy} onClick={run} />
      <Problems error={error} />
    </>
  );
}

interface OpenerProps extends Omit<ButtonProps, 'onClick'> {
  readonly dialog: (close: () => void) => ComponentChildren;
}

export function Opener({ dialog, ...button }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

interface ListToolsProps<Item> {
  /** As in "Move permission 2 up". */
  readonly what: string;
  readonly items: readonly Item[];
  readonly at: number;
  readonly onItems: (items: readonly Item[]) => void;
  /** It is taken out elsewhere. */
  readonly stays?: boolean;
}

/** Moves an item of a list up and down, and takes it out. */
export function ListTools<Item>({ what, items, at, onItems, stays = false }: ListToolsProps<Item>) {
  const others = items.toSpliced(at, 1);
  const move = (by: number) => () =>
    onItems([...others.slice(0, at + by), ...items.slice(at, at + 1), ...others.slice(at + by)]);
  const remove = () => onItems(others);
  return (
    <span>
      <IconButton icon="up" label={`Move ${what} up`} disabled={at === 0} onClick={move(-1)} />
      <IconButton
        icon="down"
        label={`Move ${what} down`}
        disabled={at === items.length - 1}
        onClick={move(1)}
      />
      {!stays && <IconButton icon="trash" label={`Remove ${what}`} onClick={remove} />}
    </span>
  );
}

/** Milliseconds for which the button says that it has copied. */
const SAYS_SO = 1_500;

export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), SAYS_SO);
  };
  return (
    <IconButton
      icon={isDone ? 'check' : 'copy'}
      label={isDone ? 'Copied' : label}
      onClick={() => void copy()}
    />
  );
}

export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="code-block">
      {/* It scrolls: so it can be reached by keyboard. */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={text} label={`Copy ${label}`} />
    </div>
  );
}
