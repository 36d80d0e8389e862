/** Completion in the editor of a schema: the keywords of its draft, each with what it takes, and words as values. */
import { DEFAULT_DRAFT, draftOf } from '../../../schema/drafts.ts';
import { keywordsOf } from '../../../schema/keywords.ts';
import type { EditorSettings } from '../../editor/mount.ts';

type Complete = NonNullable<EditorSettings['complete']>;

export const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

export const FORMATS: readonly string[] = [
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference'],
  ...['uri-template', 'uuid', 'regex', 'json-pointer', 'relative-json-pointer'],
  // Forms here show these.
  ...['color', 'markdown'],
];

const DRAFTS: readonly string[] = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

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
  const [, uri] = /"\$schema"\s*:\s*"([^"]*)"/.exec(context.state.doc.toString()) ?? [];
  const from = name.from + name.text.lastIndexOf('"') + 1;
  return {
    from,
    options: Array.from(keywordsOf(draftOf(uri ?? null) ?? DEFAULT_DRAFT), ([label, { expected }]) => ({
      label,
      detail: expected,
      type: 'property',
    })),
    validFor: /^[\w$]*$/,
  };
};
