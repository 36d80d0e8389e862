/** A button with what it opens beside it: a click elsewhere, a link in it or Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

interface PopoverProps {
  readonly icon: IconName;
  readonly words: string;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

export function Popover({ icon, words, onOpen, children }: PopoverProps) {
  const id = useId();
  return (
    <>
      <button class="button" type="button" popovertarget={id} onClick={onOpen}>
        <Icon name={icon} /> {words}
      </button>
      <div
        class="popover"
        popover="auto"
        id={id}
        role="group"
        aria-label={words}
        onClick={({ target, currentTarget }) => {
          if (target instanceof HTMLAnchorElement) currentTarget.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}
