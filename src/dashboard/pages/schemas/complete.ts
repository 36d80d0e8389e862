/** Completion in the editor of a schema: keywords as names, and the words that some keywords take. */
import type { EditorSettings } from '../../editor/mount.ts';
import { DRAFTS, FORMATS, KEYWORDS, TYPES } from './keywords.ts';

type Complete = NonNullable<EditorSettings['complete']>;

const VALUES: Readonly<Record<string, readonly string[]>> = { type: TYPES, format: FORMATS, $schema: DRAFTS };

export const completeSchema: Complete = (context) => {
  const value = context.matchBefore(/"(type|format|\$schema)"\s*:\s*(\[[^\]]*)?"[^"\n]*/);
  if (value !== null) {
    const [, keyword = ''] = /^"([^"]*)"/.exec(value.text) ?? [];
    const from = value.from + value.text.lastIndexOf('"') + 1;
    return {
      from,
      options: (VALUES[keyword] ?? []).map((label) => ({ label, type: 'constant' })),
      validFor: /^[^"\n]*$/,
    };
  }
  const name = context.matchBefore(/[{,]\s*"[^"\n]*/);
  if (name === null) return null;
  const from = name.from + name.text.lastIndexOf('"') + 1;
  return {
    from,
    options: Object.entries(KEYWORDS).map(([label, about]) => ({
      label,
      detail: about,
      type: 'property',
    })),
    validFor: /^[\w$]*$/,
  };
};
