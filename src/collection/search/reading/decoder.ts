/** Documents as a pass reads them: which columns of a row it needs, and what the matcher says of what SQL selected. */
import { decodeColumn } from '../../../domain/values/codec.ts';
import { fieldsOfProvenance, isProvenance } from '../../../domain/provenance.ts';
import { ObjectId, setField, type Fields, type Value } from '../../../domain/values/values.ts';
import { MOST_COLUMNS } from '../../../query/index/columns.ts';
import type { PathIndex } from '../../../query/index/path-index.ts';
import type { Prepared } from '../../../plan/prepare.ts';
import type { BodyTest } from '../../../query/sql/body-test.ts';
import { jsonPath } from '../../../query/sql/json-paths.ts';
import { flatOf, type StoredDocument } from '../../../domain/values/stored.ts';
import { PROVENANCE } from '../../storage/documents/documents.ts';
import { idOfBytes } from '../../storage/ids.ts';
import { batchOf, batchOfColumns } from './batches.ts';
import type { Reading, Row } from './rows.ts';

/** A document that matches. */
export interface Match {
  readonly seq: number;
  readonly version: number;
  /** The requested fields of the document; null if none were requested. */
  readonly fields: Fields | null;
}

/** What is decoded of a document. */
type Seen = Pick<StoredDocument, 'id' | 'body' | 'provenance'>;

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
  matches(document: Seen): boolean {
    this.#decoded += 1;
    return this.#query.matches(this.whole(document));
  }

  /** A document as filters see it (decisions, section 2). */
  whole(document: Seen): Fields {
    return { ...flatOf(document), id: new ObjectId(document.id), type: this.#type };
  }

  /** A match from a row that SQL selected; null when the matcher rejects it. */
  open(row: Row, reading: Reading): Match | null {
    const { names, always } = reading;
    const { seq, version, certain } = row;
    if (certain && !always) return { seq, version, fields: null };
    this.#decoded += 1;
    const fields =
      row.fields ?? (names === null ? this.whole(seenOf(row, reading)) : this.#some(row, names, reading));
    return certain || this.#query.matches(fields) ? { seq, version, fields } : null;
  }

  /**
   * Which columns a pass reads: `names` for every match, and what the matcher needs where SQL is not sure. `index`: where
   * these are all that is read, and stand beside the documents.
   */
  reading({ must }: BodyTest, names: readonly string[] | null, index?: PathIndex): Reading {
    const always = names === null || names.length > 0;
    const common = { must, always };
    if (must.kind === 'always' && !always) {
      return { names: [], columns: [], batch: null, ...common, withId: false, withProvenance: false };
    }
    const wanted = names === null || this.#query.fields === null ? null : [...names, ...this.#query.fields];
    const own =
      wanted &&
      [...new Set(wanted)].filter((name) => name !== 'id' && name !== 'type' && !isProvenance(name));
    const paths = own?.map((name) => jsonPath([name])) ?? [];
    if (wanted === null || own === null || own.length > MOST_COLUMNS || paths.includes(undefined)) {
      const withProvenance = this.#query.provenance;
      const columns = ['json(documents.body)', ...(withProvenance ? [PROVENANCE] : [])];
      return { names: null, columns, batch: null, ...common, withId: true, withProvenance };
    }
    const withProvenance = wanted.some(isProvenance);
    const withId = wanted.includes('id');
    const columns = [
      ...paths.map((path) => `documents.body -> ${path ?? ''}`),
      ...(withProvenance ? [PROVENANCE] : []),
    ];
    const read =
      index === undefined ? batchOf(this.#type, own, paths, withId) : batchOfColumns(this.#type, index.id);
    return { names: own, columns, batch: withProvenance ? null : read, ...common, withId, withProvenance };
  }

  #some(
    { columns, id }: Row,
    names: readonly string[],
    { withId, withProvenance }: Pick<Reading, 'withId' | 'withProvenance'>,
  ): Fields {
    const fields: Record<string, Value> = {};
    for (const [index, name] of names.entries()) {
      const text = columns[index] ?? null;
      if (text !== null) setField(fields, name, decodeColumn(text));
    }
    if (withProvenance) Object.assign(fields, fieldsOfProvenance(columns.at(-1) ?? ''));
    // Last, as in whole documents.
    if (withId) fields['id'] = new ObjectId(idOfBytes(id));
    fields['type'] = this.#type;
    return fields;
  }
}

/** A row of whole documents. */
function seenOf({ id, columns }: Row, { withProvenance }: Reading): Seen {
  const [body, provenance] = columns;
  return {
    id: idOfBytes(id),
    body: body ?? '{}',
    ...(withProvenance && { provenance: provenance ?? '' }),
  };
}
