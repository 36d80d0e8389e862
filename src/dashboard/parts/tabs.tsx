/** Views of one thing, of which one is open. Arrows go from tab to tab. */
import { useRef } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [Name, string])[];
  readonly open: Name;
  readonly onOpen: (name: Name) => void;
  /** The id of the element that holds what is open. */
  readonly panel: string;
}

export function Tabs<Name extends string>({ label, tabs, open, onOpen, panel }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const at = tabs.findIndex(([name]) => name === open);
    const next = (at + by + tabs.length) % tabs.length;
    const [name] = tabs[next] ?? [];
    if (name === undefined) return;
    onOpen(name);
    const buttons = list.current?.querySelectorAll('button');
    buttons?.[next]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list}>
      {tabs.map(([name, words]) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === open}
          aria-controls={panel}
          tabIndex={name === open ? 0 : -1}
          onClick={() => {
            onOpen(name);
          }}
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') step(1);
            if (key === 'ArrowLeft') step(-1);
          }}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
