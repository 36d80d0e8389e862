/** The attributes that a schema describes, as rows of a form; and what completes it where it is written as JSON. */
import type { Json } from '../../../client/values.ts';
import { faultOfNewFieldName } from '../../../domain/field-names.ts';
import { DEFAULT_DRAFT, draftOf } from '../../../schema/drafts.ts';
import { keywordsOf } from '../../../schema/keywords.ts';
import type { EditorSettings } from '../../editor/mount.ts';
import { IconButton } from '../../parts/button.tsx';
import { Check, SelectField, TextField } from '../../parts/fields/form.tsx';
import { isItems, isMembers, member, stringIn, withMember, type Members } from '../../parts/fields/json.ts';
import { Table } from '../../parts/page.tsx';
import { AddNamed, useForm } from '../document/value-row.tsx';

type Complete = NonNullable<EditorSettings['complete']>;

const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const FORMATS: readonly string[] = [
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

/** The keywords of a draft, each with what it takes, and words as values. */
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

const membersAt = (place: Json, name: string): Members => {
  const at = isMembers(place) ? member(place, name) : undefined;
  return isMembers(at) ? at : {};
};

interface Row {
  readonly name: string;
  readonly schema: Members;
}

/** Keywords that are texts. */
const TEXTS = [
  ['Format', 'format', FORMATS],
  ['Title', 'title'],
  ['Description', 'description'],
] as const;

interface ByFormProps {
  readonly content: Json;
  readonly onContent: (content: Json) => void;
}

export function ByForm({ content, onContent }: ByFormProps) {
  const { isReadOnly } = useForm();
  const parts = membersAt(content, 'properties');
  const attributes = membersAt(parts, 'attributes');
  const properties = membersAt(attributes, 'properties');
  const required = isItems(attributes['required']) ? attributes['required'] : [];
  const rows = Object.entries(properties).flatMap(([name, schema]) =>
    isMembers(schema) ? [{ name, schema }] : [],
  );
  const write = (next: Members) =>
    onContent({ ...(isMembers(content) ? content : {}), properties: { ...parts, attributes: next } });
  const withSchema = (name: string, schema: Members | undefined, of = attributes) =>
    withMember<Json>(of, 'properties', withMember<Json>(properties, name, schema));
  const put = (name: string, schema: Members) => write(withSchema(name, schema));
  const set =
    ({ name, schema }: Row, keyword: string) =>
    (text: string) =>
      put(name, withMember<Json>(schema, keyword, text === '' ? undefined : text));
  const requiring = (name: string, isOn: boolean) => {
    const others = required.filter((each) => each !== name);
    const next = isOn ? [...others, name] : others;
    return withMember<Json>(attributes, 'required', next.length === 0 ? undefined : next);
  };
  // What no row shows must not be asked for.
  const remove = (name: string) => write(withSchema(name, undefined, requiring(name, false)));
  // A boolean is a schema, too: one that a row would replace.
  const isPlain = [content, parts['attributes']].some((each) => typeof each === 'boolean');
  if (isReadOnly || isPlain) return null;
  return (
    <div class="stack">
      {rows.length > 0 && (
        <Table<Row>
          label="Attributes"
          class="mapping"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Attribute', isHead: true, cell: ({ name }) => name },
            {
              head: 'Kind',
              cell: (row) => (
                <SelectField
                  label={`Kind of ${row.name}`}
                  value={kindOf(row.schema)}
                  options={[...new Set(['', ...TYPES, kindOf(row.schema)])].map((each) => [
                    each,
                    each || 'any',
                  ])}
                  onValue={set(row, 'type')}
                />
              ),
            },
            ...TEXTS.map(([head, keyword, suggestions]) => ({
              head,
              cell: (row: Row) =>
                (keyword !== 'format' || row.schema['type'] === 'string') && (
                  <TextField
                    label={`${head} of ${row.name}`}
                    value={stringIn(row.schema[keyword])}
                    suggestions={suggestions}
                    onText={set(row, keyword)}
                  />
                ),
            })),
            {
              head: 'Required',
              cell: ({ name }) => (
                <Check checked={required.includes(name)} onChecked={(isOn) => write(requiring(name, isOn))}>
                  <span class="visually-hidden">Required of {name}</span>
                </Check>
              ),
            },
            {
              head: 'Remove',
              isUnseen: true,
              cell: ({ name }) => (
                <IconButton icon="trash" label={`Remove ${name}`} onClick={() => remove(name)} />
              ),
            },
          ]}
        />
      )}
      <AddNamed<string>
        what="field"
        faultOf={(name) =>
          Object.hasOwn(properties, name) ? 'This field exists already.' : faultOfNewFieldName(name)
        }
        choices={[['Add', 'string']]}
        onAdd={(name, type) => put(name, { type })}
      />
    </div>
  );
}

/** Several types are one kind here, which stays until another is chosen. */
function kindOf({ type }: Members): string {
  return isItems(type) ? type.map(stringIn).join(' or ') : stringIn(type);
}
