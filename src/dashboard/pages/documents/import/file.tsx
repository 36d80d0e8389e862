/** The file that is to be imported: it is chosen or dropped on one page, and looked at on another. */
import { signal } from '@preact/signals';
import { Chooser, useDrops } from '../../../parts/files.tsx';
import { goFreely, leaving, wayTo } from '../../../route.ts';

/** What was chosen last; a page that is loaded again asks for it. */
export const chosen = signal<File | undefined>(undefined);

export const ACCEPTED = '.csv,.tsv,.json,.ndjson,.jsonl,.txt';

/** Shows what would become of a file: documents of a type, or of one that is called as the file. */
export function show(file: File, type = typeOf(file.name)): void {
  leaving(() => {
    chosen.value = file;
    goFreely(wayTo(['documents', type, 'import']));
  });
}

function typeOf(name: string): string {
  const words = name
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'documents';
}

/** Takes a file that is chosen, or dropped anywhere on the page. */
export function ImportButton({ type }: { readonly type?: string }) {
  const take = ([file]: readonly File[]) => {
    if (file !== undefined) show(file, type);
  };
  const isDropping = useDrops(take);
  return (
    <>
      <Chooser icon="transfer" accept={ACCEPTED} onFiles={take}>
        Import
      </Chooser>
      {isDropping && <p class="drop">Drop the file to see its documents</p>}
    </>
  );
}
