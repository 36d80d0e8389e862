/** How files come in: chosen, or dropped on the page. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWindow } from '../window.ts';
import { Icon, type IconName } from '../icons.tsx';

interface ChooserProps {
  readonly onFiles: (chosen: readonly File[]) => void;
  readonly icon?: IconName;
  readonly look?: 'primary';
  /** Names of the files that are offered. Without it, all are, and several at once. */
  readonly accept?: string;
  readonly children: ComponentChildren;
}

/** A button that asks for files. */
export function Chooser({ onFiles, icon = 'add', look, accept, children }: ChooserProps) {
  return (
    <label class={`button chooser ${look ?? ''}`}>
      <Icon name={icon} /> {children}
      <input
        class="visually-hidden"
        type="file"
        multiple={accept === undefined}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Takes files that are dropped on the page, and says whether some are held over it. */
export function useDrops(onFiles: ChooserProps['onFiles']): boolean {
  const [isOver, setOver] = useState(false);
  const take = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    // Else the browser would open the file in the place of the page.
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
  };
  useWindow('dragover', take);
  useWindow('drop', take);
  useWindow('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false);
  });
  return isOver;
}
