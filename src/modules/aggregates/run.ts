/**
 * Runs an aggregate: looks its definition up and runs its pipeline in the collection of its input type, over the
 * documents that the viewer may read there (spec, Authentication, rule 12).
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import { digest64 } from '../../domain/digest.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { ReadLinked, Stamp } from '../documents/linked/read-linked.ts';
import type { RequestContext } from '../endpoint.ts';
import type { OutputPage, OutputSelection, Diagnostic, Extent } from '../../collection/rpc/results.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { CORE, storedType, type TypeName } from '../../domain/types.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { type Principal, principalOf } from '../../domain/rules.ts';
import { storedText } from '../documents/body/raw.ts';

/** The requested outputs of a pipeline, and what tags need to know of them. */
export interface AggregateRun extends Extent {
  readonly documents: readonly LazyDocument[];
  /** Where they are asked for. */
  readonly diagnostics?: readonly Diagnostic[];
  readonly plan: OutputPage['plan'];
  /** The version of the definition, and the counter of the input's collection. */
  readonly definition: number;
  readonly input: number;
  readonly inputType: TypeName;
  /** False when the same input may give other outputs another time. */
  readonly repeatable: boolean;
  /** A digest of the parameters in the request; null without any. */
  readonly variant: string | null;
}

/** Runs the aggregate of an output type for a principal. `overrides`: JSON texts by the names of parameters. */
export async function runAggregate(
  context: RequestContext,
  outputType: TypeName,
  principal: Principal,
  select: OutputSelection,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Outcome<AggregateRun>> {
  const definition = await collectionOf(context, CORE.aggregate).findUnique('output-type', outputType);
  if (definition === null) return fail('not-found', `There is no aggregate ${outputType}.`);
  const { attributes } = definition;
  const inputType = storedType(storedText(attributes, 'input-type'));
  const ran = await collectionOf(context, inputType).aggregate({
    outputType,
    pipeline: storedText(attributes, 'pipeline'),
    parameters:
      memberOf(attributes, 'parameters') === undefined ? null : storedText(attributes, 'parameters'),
    overrides,
    ...principalOf(principal),
    select,
  });
  if (!ran.ok) return ran;
  const { counter, repeatable, ...page } = ran.value;
  return ok({
    ...page,
    definition: definition.version,
    input: counter,
    inputType,
    // A rule may name the time.
    repeatable: repeatable && (principal.rule?.where ?? null) === null,
    variant: Object.keys(overrides).length === 0 ? null : digest64(JSON.stringify(overrides)),
  });
}

/** Documents of an aggregate, with the defaults of its parameters. They change when their input changes. */
export const fromPipeline: ReadLinked = async (context, { type, viewer, rule, ids }) => {
  const ran = await runAggregate(context, type, { viewer, rule }, { ids });
  if (!ran.ok) {
    const nothing = { documents: [], units: 0, counters: [], stamps: [] };
    return ran.problems.some(({ code }) => code === 'not-found') ? ok(nothing) : ran;
  }
  const { documents } = ran.value;
  const units = documents.reduce((sum, each) => sum + each.units, 0);
  return ok({ documents, units, counters: stampsOf(type, ran.value), stamps: [] });
};

/** The diagnostics of the outputs, with the parameters of a request that addresses them. */
export const diagnosticsOfPipeline: NonNullable<DocumentKind['diagnostics']> = async (
  context,
  type,
  principal,
  search,
) => {
  const { parameters, query } = context;
  const overrides = parameters.type === type ? Object.fromEntries(query.parameters) : {};
  const ran = await runAggregate(context, type, principal, search, overrides);
  return ran.ok ? (ran.value.diagnostics ?? []) : [];
};

/** The last changes of what outputs are made of: the input under the output's type, and the definition. */
export function stampsOf(type: TypeName, { input, inputType, definition }: AggregateRun): readonly Stamp[] {
  return [
    { type, version: input, of: inputType },
    { type: CORE.aggregate, version: definition },
  ];
}
