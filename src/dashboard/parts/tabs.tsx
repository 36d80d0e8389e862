/** Views of one thing, of which one is open. Arrows go from tab to tab. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly label: string;
  /** The words of each. */
  readonly tabs: Readonly<Partial<Record<Name, string>>>;
  readonly open: Name;
  readonly onOpen: (name: Name) => void;
  /** The one that is open. */
  readonly children: (name: Name) => ComponentChildren;
}

export function Tabs<Name extends string>({ label, tabs, open, onOpen, children }: TabsProps<Name>) {
  const row = useRef<HTMLDivElement>(null);
  const panel = useId();
  const names = Object.keys(tabs) as Name[];
  const step = (by: number) => {
    const next = (names.indexOf(open) + by + names.length) % names.length;
    const name = names[next];
    if (name === undefined) return;
    onOpen(name);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={row}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === open}
            aria-controls={panel}
            tabIndex={name === open ? 0 : -1}
            onClick={() => onOpen(name)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') step(1);
              if (key === 'ArrowLeft') step(-1);
            }}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div id={panel} role="tabpanel" aria-label={tabs[open]} class="tab-panel">
        {children(open)}
      </div>
    </>
  );
}
