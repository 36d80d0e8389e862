/**
 * CodeMirror for JSON. It stands in a shadow root, where its styles are constructed sheets: the policy of the page lets
 * no style in that stands in an element.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { CompletionSource } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { forceLinting, linter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { stepsOf } from '../../domain/pointer.ts';
import type { Fault } from '../parts/fields/json.ts';

export interface EditorSettings {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onText: (text: string) => void;
  /** What is wrong besides the syntax: looked at again when `lint` says that it has changed. */
  readonly faults: readonly Fault[];
  readonly complete: CompletionSource | undefined;
}

export interface Editor {
  readonly setText: (text: string) => void;
  readonly set: (isReadOnly: boolean, label: string) => void;
  /** Looks again for what is wrong: faults have changed. */
  readonly lint: () => void;
  readonly destroy: () => void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--name)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: tags.number, color: 'var(--number)' },
  { tag: [tags.bool, tags.null], color: 'var(--word)' },
]);

const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--sunken)', fontSize: '0.9rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--wash)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--wash)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  // No background: who types over a bracket would be given it by the browser, as a style that stands in an element.
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--edge)',
  },
});

/** `now` gives the settings as they are, of which only those that a call tells of change what is shown. */
export function mountEditor(host: HTMLElement, now: () => EditorSettings): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const settings = new Compartment();
  const { label, text, isReadOnly, complete } = now();
  const settled = (locked: boolean, name: string) => [
    EditorState.readOnly.of(locked),
    EditorView.editable.of(!locked),
    EditorView.contentAttributes.of({ 'aria-label': name, role: 'textbox', 'aria-multiline': 'true' }),
  ];
  const parse = jsonParseLinter();
  let isStale = false;
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      lineNumbers(),
      foldGutter(),
      history(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      autocompletion(complete === undefined ? {} : { override: [complete] }),
      json(),
      syntaxHighlighting(COLOURS),
      linter(
        (editor) => {
          const unparsed = parse(editor);
          if (unparsed.length > 0) return unparsed;
          const placeOf = placesIn(editor.state.doc.toString());
          return now().faults.map(({ pointer, message }) => ({
            ...placeOf(pointer),
            message,
            severity: 'error' as const,
          }));
        },
        { needsRefresh: () => isStale },
      ),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      EditorView.lineWrapping,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) now().onText(update.state.doc.toString());
      }),
      settings.of(settled(isReadOnly, label)),
      LOOK,
    ],
  });
  return {
    setText: (next) => {
      if (next === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    set: (...now) => view.dispatch({ effects: settings.reconfigure(settled(...now)) }),
    lint: () => {
      isStale = true;
      view.dispatch({});
      isStale = false;
      forceLinting(view);
    },
    destroy: () => view.destroy(),
  };
}

/** Where in a text of JSON a pointer (RFC 6901) leads: the value, or the nearest one around it; else the beginning. */
function placesIn(text: string) {
  const root = parseTree(text);
  return (pointer: string): { readonly from: number; readonly to: number } => {
    let place = root;
    for (const step of stepsOf(pointer)) {
      const next = place && findNodeAtLocation(place, [place.type === 'array' ? Number(step) : step]);
      if (next === undefined) break;
      place = next;
    }
    if (place === undefined || place === root) return { from: 0, to: Math.min(1, text.length) };
    return { from: place.offset, to: place.offset + place.length };
  };
}
