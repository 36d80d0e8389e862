/** How files come in: chosen, or dropped on the page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser would open the file in the place of the page.
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => control.abort();
  }, [onFiles]);
  return isOver;
}
