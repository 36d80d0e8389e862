/**
 * The schemas in force for a collection. The collection of schemas pushes them here; they are stored with the data and
 * applied inside the transaction of each write, so that no write that began after a schema's answer escapes it.
 */
import { decodeFields } from '../../domain/values/codec.ts';
import type { Content } from '../../domain/documents.ts';
import { parseJson } from '../../domain/values/json.ts';
import { LIMITS, TOLD } from '../../domain/limits.ts';
import { failed, ok, problem, type Outcome } from '../../domain/problems.ts';
import { SCHEMA_LIMITS } from '../../schema/limits.ts';
import { compileSchema, type CompiledSchema } from '../../schema/compile.ts';
import { schemaView } from '../../schema/view.ts';
import { Work } from '../../schema/work.ts';
import { unpackContent, type StoredContent } from '../../domain/values/stored.ts';
import type { PushedDocument } from '../rpc/contract.ts';
import { replacePushed } from './secondary/pushed.ts';
import { Table } from './sql.ts';

export class Schemas extends Table {
  /** Compiled when first needed. */
  #compiled: readonly CompiledSchema[] | null = null;
  /** The work that several writes of one transaction share; null for a single write. */
  #shared: Work | null = null;

  /** Replaces all schemas by these, unless newer ones are in force. `number` orders pushes. */
  replace(number: number, schemas: readonly PushedDocument[]): void {
    if (replacePushed(this.sql, 'schemas', number, schemas)) this.#compiled = null;
  }

  /** Performs several writes whose checks share one work budget. */
  together<T>(work: () => T): T {
    this.#shared = new Work(SCHEMA_LIMITS.listWork);
    try {
      return work();
    } finally {
      this.#shared = null;
    }
  }

  /**
   * Validates this content as a client would read it back. `overlay` holds attributes as sent that are stored in
   * another form: a password (decisions, section 5).
   */
  check(stored: StoredContent, overlay: string | null): Outcome<null> {
    const schemas = this.#schemas();
    if (schemas.length === 0) return ok(null);
    const document = schemaView(laidOver(unpackContent(stored), overlay));
    const work = this.#shared ?? new Work();
    const violations = schemas.flatMap((schema) => schema.validate(document, work));
    if (violations.length === 0) return ok(null);
    return failed(
      ...violations
        .slice(0, TOLD.inBody)
        .map(({ pointer, keyword, detail }) => problem('schema-violation', detail, { pointer }, { keyword })),
    );
  }

  #schemas(): readonly CompiledSchema[] {
    const contents = () => this.column<string>('SELECT content FROM schemas ORDER BY id');
    return (this.#compiled ??= contents().map((content) => compileSchema(openText(content))));
  }
}

function laidOver(content: Content, overlay: string | null): Content {
  if (overlay === null) return content;
  return { ...content, attributes: { ...content.attributes, ...decodeFields(overlay) } };
}

/** The JSON of a schema, every number as it was written. */
function openText(text: string): unknown {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) throw new Error('A schema in force is no JSON.');
  return parsed.value;
}
