/** A line of text with a list of what may come next: arrows choose, Tab and Enter take, Escape closes. */
import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Fields } from '../fields.ts';
import { suggestions, type Suggestion } from './suggest.ts';

interface ComboboxProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly fields: Fields;
  /** Whether no condition stands before it. */
  readonly isFirst: boolean;
  readonly onText: (text: string) => void;
  /** Told a whole condition as it was typed. */
  readonly onWhole: (text: string) => void;
  /** Told of a step back from the empty line. */
  readonly onBack: () => void;
  readonly onFocus: () => void;
}

export function Combobox({ input, text, fields, isFirst, onText, onWhole, onBack, onFocus }: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const id = useId();
  const offered = isOpen ? suggestions(text, fields) : [];
  const chosen = offered[active];

  const write = (next: string) => {
    onText(next);
    setActive(-1);
    setOpen(true);
  };
  const take = ({ text: next, isWhole }: Suggestion) => {
    if (isWhole) {
      setOpen(false);
      setActive(-1);
      onWhole(next);
    } else write(next);
    input.current?.focus();
  };
  const step = (by: number) => {
    setOpen(true);
    if (offered.length > 0)
      setActive((at) => (at + by + offered.length + (at < 0 && by < 0 ? 1 : 0)) % offered.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [only] = offered;
    switch (event.key) {
      case 'ArrowDown':
        step(1);
        break;
      case 'ArrowUp':
        step(-1);
        break;
      case 'Enter':
        if (chosen !== undefined) take(chosen);
        else {
          setOpen(false);
          onWhole(text);
        }
        break;
      case 'Tab': {
        const taken = chosen ?? only;
        if (text === '' || taken === undefined || event.shiftKey) return;
        take(taken);
        break;
      }
      case 'Escape':
        if (!isOpen) return;
        setOpen(false);
        setActive(-1);
        break;
      case 'Backspace':
        if (text !== '' || isFirst) return;
        onBack();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <span class="combobox">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-list`}
        {...(chosen !== undefined && { 'aria-activedescendant': `${id}-${active}` })}
        autocomplete="off"
        spellcheck={false}
        placeholder={isFirst ? 'Filter: year >= 1990, words to find, or JSON  ( / )' : 'and…'}
        value={text}
        onInput={({ currentTarget }) => {
          write(currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={() => {
          setOpen(false);
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="What may come next" hidden={offered.length === 0}>
        {offered.map((each, index) => (
          <li
            key={each.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The line keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              take(each);
            }}
          >
            <span>{each.label}</span>
            <span class="soft">{each.says}</span>
          </li>
        ))}
      </ul>
    </span>
  );
}
