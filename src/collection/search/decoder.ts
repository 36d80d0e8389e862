/** Documents as a pass reads them: which columns of a row it needs, and what the matcher says of what SQL selected. */
import { decodeFields, decodeText } from '../../domain/codec.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { ObjectId, setField, type Fields, type Value } from '../../domain/values.ts';
import type { Prepared } from '../../query/plan/prepare.ts';
import type { BodyTest } from '../../query/sql/body-test.ts';
import { jsonPath } from '../../query/sql/json-paths.ts';
import { idOfBytes } from '../storage/ids.ts';
import type { Reading, Row } from './rows.ts';

/** A document that matches. */
export interface Match {
  readonly seq: number;
  readonly version: number;
  /** The requested fields of the document; null if none were requested. */
  readonly fields: Fields | null;
}

/** The most fields that are read separately; for more of them the whole body is read. */
const MOST_COLUMNS = 8;

export class Decoder {
  readonly #type: string;
  readonly #query: Prepared;
  #decoded = 0;

  constructor(type: string, query: Prepared) {
    this.#type = type;
    this.#query = query;
  }

  /** Documents, or fields of them, that were decoded. */
  get decoded(): number {
    return this.#decoded;
  }

  /** Whether the current state of a document matches. */
  matches(id: DocumentId, body: string): boolean {
    this.#decoded += 1;
    return this.#query.matches(this.whole(id, body));
  }

  /** A document as filters see it (decisions, section 2). */
  whole(id: DocumentId, body: string): Fields {
    return { ...decodeFields(body), id: new ObjectId(id), type: this.#type };
  }

  /** A match from a row that SQL selected; null when the matcher rejects it. */
  open(row: Row, { names, always, withId }: Reading): Match | null {
    const { seq, version, certain } = row;
    if (certain && !always) return { seq, version, fields: null };
    this.#decoded += 1;
    const fields =
      names === null ? this.whole(idOfBytes(row.id), row.columns[0] ?? '{}') : this.#some(row, names, withId);
    return certain || this.#query.matches(fields) ? { seq, version, fields } : null;
  }

  /** Which columns a pass reads: `names` for every match, and what the matcher needs where SQL is not sure. */
  reading({ must }: BodyTest, names: readonly string[] | null): Reading {
    const always = names === null || names.length > 0;
    if (must.kind === 'always' && !always) return { names: [], columns: [], must, always, withId: false };
    const wanted = names === null || this.#query.fields === null ? null : [...names, ...this.#query.fields];
    const own = wanted && [...new Set(wanted)].filter((name) => name !== 'id' && name !== 'type');
    const paths = own?.map((name) => jsonPath([name])) ?? [];
    if (wanted === null || own === null || own.length > MOST_COLUMNS || paths.includes(undefined)) {
      return { names: null, columns: ['json(documents.body)'], must, always, withId: true };
    }
    const columns = paths.map((path) => `documents.body -> ${path ?? ''}`);
    return { names: own, columns, must, always, withId: wanted.includes('id') };
  }

  #some({ columns, id }: Row, names: readonly string[], withId: boolean): Fields {
    const fields: Record<string, Value> = {};
    for (const [index, text] of columns.entries()) {
      if (text !== null) setField(fields, names[index] ?? '', decodeText(text));
    }
    // Last, as in whole documents.
    if (withId) fields['id'] = new ObjectId(idOfBytes(id));
    fields['type'] = this.#type;
    return fields;
  }
}
