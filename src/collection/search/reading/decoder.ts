/** Documents as a pass reads them: what of each it needs, and what the matcher says of what SQL selected. */
import { isAuditField } from '../../../domain/audit-fields.ts';
import { ObjectId, type Fields } from '../../../domain/values/values.ts';
import { MOST_COLUMNS } from '../../../query/index/columns.ts';
import type { PathIndex } from '../../../query/index/path-index.ts';
import type { Prepared } from '../../../plan/prepare.ts';
import type { BodyTest } from '../../../query/sql/body-test.ts';
import { jsonPath } from '../../../query/sql/json-paths.ts';
import { flatOf, type StoredDocument } from '../../../domain/values/stored.ts';
import { AUDIT_FIELDS } from '../../storage/documents/documents.ts';
import { idOfBytes } from '../../storage/ids.ts';
import { batchOf, batchOfColumns, objectOf } from './batches.ts';
import type { RowReading, Row } from './rows.ts';

/** A document that matches. */
export interface Match {
  readonly seq: number;
  readonly version: number;
  /** The requested fields of the document; null if none were requested. */
  readonly fields: Fields | null;
}

type Seen = Pick<StoredDocument, 'id' | 'body' | 'auditFields'>;

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

  matches(document: Seen): boolean {
    this.#decoded += 1;
    return this.#query.matches(this.whole(document));
  }

  /** A document as filters see it (decisions, section 2). */
  whole(document: Seen): Fields {
    return { ...flatOf(document), id: new ObjectId(document.id), type: this.#type };
  }

  /** A match from a row that SQL selected; null when the matcher rejects it. */
  open(row: Row, reading: RowReading): Match | null {
    const { seq, version, certain } = row;
    if (certain && !reading.always) return { seq, version, fields: null };
    this.#decoded += 1;
    const fields = row.fields ?? this.#fieldsOf(row, reading);
    return certain || this.#query.matches(fields) ? { seq, version, fields } : null;
  }

  /**
   * What a pass reads: `names` of every match, and what the matcher needs if SQL is unsure. `index`: where these are
   * all that is read, and stand beside the documents.
   */
  reading({ must }: BodyTest, names: readonly string[] | null, index?: PathIndex): RowReading {
    const always = names === null || names.length > 0;
    const common = { must, always };
    if (must.kind === 'always' && !always) {
      return { columns: [], isWhole: false, batch: null, ...common };
    }
    const wanted = names === null || this.#query.fields === null ? null : [...names, ...this.#query.fields];
    const own =
      wanted &&
      [...new Set(wanted)].filter((name) => name !== 'id' && name !== 'type' && !isAuditField(name));
    const paths = own?.map((name) => jsonPath([name])) ?? [];
    if (wanted === null || own === null || own.length > MOST_COLUMNS || paths.includes(undefined)) {
      const columns = ['json(documents.body)', ...(this.#query.auditFields ? [AUDIT_FIELDS] : [])];
      return { columns, isWhole: true, batch: null, ...common };
    }
    const object = objectOf(this.#type, own, paths, wanted.includes('id'));
    if (wanted.some(isAuditField))
      return { columns: [object, AUDIT_FIELDS], isWhole: false, batch: null, ...common };
    const batch = index === undefined ? batchOf(object) : batchOfColumns(this.#type, index.id);
    return { columns: [object], isWhole: false, batch, ...common };
  }

  #fieldsOf({ id, text, auditFields }: Row, { isWhole }: RowReading): Fields {
    const document = { body: text ?? '{}', ...(auditFields !== null && { auditFields }) };
    return isWhole ? this.whole({ id: idOfBytes(id), ...document }) : flatOf(document);
  }
}
