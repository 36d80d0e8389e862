/**
 * Documents as a collection's client gives them: decoded only when a caller looks into one, which most answers do not.
 */
import { decodeFields } from '../../../domain/values/codec.ts';
import { keepWarm } from '../../../domain/caching/keep-warm.ts';
import type { Content, Document } from '../../../domain/documents.ts';
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import { readAuditFields } from '../../../domain/audit-fields.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import type { Rule } from '../../../domain/rules.ts';
import type { PackedOutputs } from '../results.ts';
import { settleRule, type Policy } from '../rules.ts';
import {
  relationshipsOf,
  splitContent,
  unpackContent,
  type SplitContent,
  type StoredContent,
  type StoredDocument,
} from '../../../domain/values/stored.ts';

/** A document as it came from its collection. */
export class LazyDocument implements Document {
  readonly type: TypeName;
  /** The fields that whoever asked is shown; null for all. */
  readonly seen: readonly string[] | null;
  readonly #stored: StoredDocument;
  #content: Content | null = null;
  #split: SplitContent | null | undefined;
  #attributes: Document['attributes'] | undefined;
  #relationships: Document['relationships'] | undefined;

  constructor(type: TypeName, stored: StoredDocument, seen: readonly string[] | null = null) {
    this.type = type;
    this.seen = seen;
    this.#stored = stored;
  }

  /** The same document for somebody who is shown these fields, of those that are seen. */
  seenAs(fields: readonly string[] | null): LazyDocument {
    if (fields === null) return this;
    const seen = this.seen === null ? fields : this.seen.filter((name) => fields.includes(name));
    return new LazyDocument(this.type, this.#stored, seen);
  }

  /** All of it, for what is made of fields that are not shown. */
  get whole(): LazyDocument {
    return this.seen === null ? this : new LazyDocument(this.type, this.#stored);
  }

  /** Whether a rule lets somebody see the document. */
  maySee(rule: Rule, policy: Policy): boolean {
    return policy.maySee({ rule: settleRule(rule, this.type) }, this.#stored);
  }

  get id(): DocumentId {
    return this.#stored.id;
  }
  get version(): number {
    return this.#stored.version;
  }
  get aclVersion(): number {
    return this.#stored.aclVersion;
  }
  get auditFields(): Document['auditFields'] {
    const { auditFields } = this.#stored;
    return auditFields === undefined ? undefined : readAuditFields(auditFields);
  }
  get attributes(): Document['attributes'] {
    return (this.#attributes ??= onlySeen({ ...this.#opened().attributes, ...this.#counted }, this.seen));
  }
  /** JSON of what is counted of it. */
  get counts(): string | undefined {
    return this.#stored.counts;
  }
  get #counted(): Fields {
    return this.counts === undefined ? {} : decodeFields(this.counts);
  }
  get relationships(): Document['relationships'] {
    return (this.#relationships ??= onlySeen(this.#linked(), this.seen));
  }
  /** The parts that can be read without decoding the document, if this is possible, and all of it is seen. */
  get split(): SplitContent | null {
    return this.seen === null ? this.#parts : null;
  }
  get #parts(): SplitContent | null {
    if (this.#split === undefined) this.#split = withCounts(splitContent(this.#stored), this.counts);
    return this.#split;
  }
  /** As it is stored, or as a pipeline has made it. */
  get stored(): StoredContent {
    return this.#stored;
  }
  /** UTF-16 units of its stored text. */
  get units(): number {
    return this.#stored.body.length;
  }

  #linked(): Document['relationships'] {
    const parts = this.#parts;
    return parts === null ? this.#opened().relationships : relationshipsOf(parts);
  }

  #opened(): Content {
    this.#content ??= unpackContent(this.#stored);
    return this.#content;
  }
}

keepWarm(
  new LazyDocument(storedType(''), {
    id: storedId(''),
    version: 0,
    body: '{}',
    relationships: null,
    aclVersion: 0,
  }),
);

/** The same with what is counted behind the attributes; null where one of these has such a name. */
function withCounts(split: SplitContent | null, counts: string | undefined): SplitContent | null {
  if (split === null || counts === undefined || counts === '{}') return split;
  const { attributes } = split;
  const isNamed = Object.keys(JSON.parse(counts) as object).some((name) =>
    attributes.includes(`${JSON.stringify(name)}:`),
  );
  if (isNamed) return null;
  return { ...split, attributes: `${attributes}${attributes === '{' ? '' : ','}${counts.slice(1, -1)}` };
}

/** Those members that are seen; null for all. */
export function onlySeen<T>(
  members: Readonly<Record<string, T>>,
  seen: readonly string[] | null,
): Readonly<Record<string, T>> {
  if (seen === null) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => seen.includes(name)));
}

/** Outputs of an aggregate. They have no versions. */
export function openOutputs(
  type: TypeName,
  { ids, bodies, relationships }: PackedOutputs,
): readonly LazyDocument[] {
  return ids.map((id, at) => {
    const names = relationships?.[at] ?? [];
    const content = {
      body: bodies[at] ?? '{}',
      relationships: names.length === 0 ? null : JSON.stringify(names),
    };
    return new LazyDocument(type, { id, version: 0, aclVersion: 0, ...content });
  });
}
