/**
 * Running an aggregate: its definition is looked up, and its pipeline runs in the collection of its input type, over
 * what the viewer may read there (spec, Authentication, rule 12).
 */
import { digest64 } from '../../domain/digest.ts';
import { unflatten, type Content, type Document } from '../../domain/documents.ts';
import { decodeFields } from '../../domain/codec.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Viewer } from '../../domain/rights.ts';
import { fieldOf } from '../../domain/values.ts';
import type { Exchange } from '../endpoint.ts';
import { collectionOf } from '../documents/kind.ts';
import { openDocument } from '../documents/resource.ts';
import type { OutputPage, OutputSelection } from '../../collection/rpc/aggregates.ts';

export const AGGREGATE_TYPE = 'core.aggregate';

/** A document of an aggregate, decoded when somebody looks into it. */
export class Output implements Document {
  readonly version = 0;
  readonly aclVersion = 0;
  readonly type: string;
  readonly id: string;
  /** The stored encoding of attributes and relationships side by side. */
  readonly body: string;
  readonly relationshipNames: readonly string[];
  #content: Content | null = null;

  constructor(type: string, id: string, body: string, relationshipNames: readonly string[]) {
    this.type = type;
    this.id = id;
    this.body = body;
    this.relationshipNames = relationshipNames;
  }

  get attributes(): Document['attributes'] {
    return this.#opened().attributes;
  }
  get relationships(): Document['relationships'] {
    return this.#opened().relationships;
  }

  #opened(): Content {
    this.#content ??= unflatten(decodeFields(this.body), this.relationshipNames);
    return this.#content;
  }
}

/** What a pipeline made, as far as it was asked for, and what tags need to know of it. */
export interface AggregateRun {
  readonly documents: readonly Output[];
  readonly total: number;
  readonly next: string | null;
  readonly plan: OutputPage['plan'];
  /** The version of the definition, and the counter of the input's collection. */
  readonly definition: number;
  readonly input: number;
  /** False when the same input may give other outputs another time. */
  readonly repeatable: boolean;
  /** A digest of the parameters that the request gave; '' without any. */
  readonly variant: string;
}

/** Runs the aggregate of an output type for a viewer. `overrides`: JSON texts by the names of parameters. */
export async function runAggregate(
  exchange: Exchange,
  outputType: string,
  viewer: Viewer,
  select: OutputSelection,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Outcome<AggregateRun>> {
  const stored = await collectionOf(exchange, AGGREGATE_TYPE).stub.findUnique('output-type', outputType);
  if (stored === null) return fail('not-found', `There is no aggregate ${outputType}.`);
  const { attributes } = openDocument(AGGREGATE_TYPE, stored);
  const text = (name: string): string => {
    const value = fieldOf(attributes, name);
    return typeof value === 'string' ? value : '';
  };
  const { name, stub } = collectionOf(exchange, text('input-type'));
  const ran = await stub.aggregate(name, {
    outputType,
    pipeline: text('pipeline'),
    parameters: text('parameters'),
    overrides,
    viewer,
    select,
  });
  if (!ran.ok) return ran;
  const { documents, total, next, counter, repeatable, plan } = ran.value;
  return ok({
    documents: documents.bodies.map(
      (body, index) =>
        new Output(outputType, documents.ids[index] ?? '', body, documents.relationships?.[index] ?? []),
    ),
    total,
    next,
    plan,
    definition: stored.version,
    input: counter,
    repeatable,
    variant: Object.keys(overrides).length === 0 ? '' : digest64(JSON.stringify(overrides)),
  });
}
