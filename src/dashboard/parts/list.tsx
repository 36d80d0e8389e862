/** Lists of which items are moved, taken out and added. */
import { useState } from 'preact/hooks';
import { IconButton } from './button.tsx';

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

/** The rows of a list. What was typed in one, and does not read, goes where its item goes. */
export function useRows<Item>(items: readonly Item[], onItems: (items: readonly Item[]) => void) {
  const [keys, setKeys] = useState<readonly (symbol | number)[]>(() => items.map(() => Symbol('row')));
  const keyed = items.map((item, at) => ({ item, key: keys[at] ?? at }));
  const change = (next: readonly (typeof keyed)[number][]) => {
    setKeys(next.map(({ key }) => key));
    onItems(next.map(({ item }) => item));
  };
  return {
    rows: keyed.map(({ item, key }, at) => ({
      ...{ item, key },
      put: (next: Item) => onItems(items.with(at, next)),
      remove: () => change(keyed.toSpliced(at, 1)),
      tools: (what: string) => <ListTools what={what} items={keyed} at={at} onItems={change} />,
    })),
    add: (item: Item) => change([...keyed, { item, key: Symbol('row') }]),
  };
}
