/** A field for JSON, with an editor that is loaded when the first one is shown. */
import { useEffect, useRef } from 'preact/hooks';
import type { Fault } from '../parts/fields/json.ts';
import type { Editor, EditorSettings } from './mount.ts';

/** How many texts a page may be behind what is typed. */
const TOLD = 100;

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  readonly onText?: (text: string) => void;
  /** What is wrong besides the syntax: `/attributes/title`. */
  readonly faults?: readonly Fault[];
  readonly complete?: EditorSettings['complete'];
}

export function JsonEditor(props: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  /** What the editor has told and not got back yet: it must not be put in again, for more may be typed meanwhile. */
  const reported = useRef<string[]>([]);
  const latest = useRef(props);
  latest.current = props;
  const { text, label, isReadOnly = false } = props;
  useEffect(() => {
    let isGone = false;
    void import('./mount.ts').then(({ mountEditor }) => {
      if (isGone || host.current === null) return;
      const { label: name, complete, text: first, isReadOnly: locked = false } = latest.current;
      editor.current = mountEditor(host.current, {
        label: name,
        text: first,
        isReadOnly: locked,
        onText: (next) => {
          reported.current = [...reported.current.slice(1 - TOLD), next];
          latest.current.onText?.(next);
        },
        faults: () => latest.current.faults ?? [],
        complete,
      });
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
    };
  }, []);
  useEffect(() => {
    const at = reported.current.lastIndexOf(text);
    reported.current = reported.current.slice(at + 1);
    if (at !== -1) return;
    reported.current = [];
    editor.current?.setText(text);
  }, [text]);
  useEffect(() => editor.current?.set(isReadOnly, label), [isReadOnly, label]);
  const found = JSON.stringify(props.faults ?? []);
  useEffect(() => editor.current?.lint(), [found]);
  return <div class="editor" ref={host} />;
}
