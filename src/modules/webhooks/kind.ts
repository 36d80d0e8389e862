/** The kind of webhooks (docs/webhooks.md). */
import { pathOfSome, pathOfType } from '../../domain/addresses/paths.ts';
import type { Content } from '../../domain/documents.ts';
import { oneOf, sentenceOf } from '../../domain/names.ts';
import { faultOfAddress } from '../../domain/addresses/outward.ts';
import { pointerOf } from '../../domain/pointer.ts';
import { ok, type Problem } from '../../domain/problems.ts';
import { isUnderAcl } from '../../domain/secrets.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { CORE } from '../../domain/types.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import { isList, memberOf, textAt } from '../../domain/values/tree.ts';
import type { Value } from '../../domain/values/values.ts';
import { isWriteEvent, keyOfSecret, newSecret, SECRET_FORM, WRITE_EVENTS } from '../../domain/webhooks.ts';
import { readRule } from '../../operators/filter/rule.ts';
import type { RequestContext } from '../endpoint.ts';
import { checked, faultAt, faultOfTarget, faultsOfLinks, missing } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';

export const WEBHOOKS: DocumentKind = {
  raw: { filter: 'whole' },
  // Who changes a webhook must be able to read what it is about, and what it was about before: its secret signs that.
  validatesWhole: true,

  validate: (content, whole, current, context) => {
    const types = [current ?? {}, { ...current, ...content.attributes }].map((each) =>
      textAt(each, 'target'),
    );
    return [
      ...checkContent(content, whole, context),
      ...[...new Set(types)].flatMap((type) =>
        context === undefined || type === undefined ? [] : checkReach(type, context),
      ),
    ];
  },

  rules: ({ attributes }, current) => {
    const { filter, target } = { ...current, ...attributes };
    const rule = typeof filter === 'string' ? readRule(filter, () => undefined) : null;
    const pointer = '/data/attributes/filter';
    return rule === null ? [] : [{ rule, pointer, concerns: (type) => type === target }];
  },

  faultsOfStored: ({ attributes }) =>
    memberOf(attributes, 'secret') === undefined ? [missing('secret')] : [],

  prepare: async ({ attributes, relationships }, current) => {
    const isNew = (await current()) === null;
    const made = (memberOf(attributes, 'secret') ?? null) === null;
    const content = {
      attributes: {
        ...(isNew && { events: [...WRITE_EVENTS], active: true }),
        ...attributes,
        ...(made && (isNew || Object.hasOwn(attributes, 'secret')) && { secret: newSecret() }),
      },
      relationships,
    };
    return ok({ content, asSent: null });
  },

  attributes: ({ attributes }, context) => {
    const type = textAt(attributes, 'target');
    const isTrusted =
      !isUnderAcl(context.access) && (type === undefined || checkReach(type, context).length === 0);
    if (isTrusted) return Promise.resolve(attributes);
    return Promise.resolve(
      Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'secret')),
    );
  },
};

function checkContent(
  { attributes, relationships }: Content,
  whole: boolean,
  context: RequestContext | undefined,
): readonly Problem[] {
  // Where nobody asks, as in an import, each call looks at the address anyway.
  const privateToo = context === undefined || settingsOf(context.environment).webhooksToPrivate;
  const filter = memberOf(attributes, 'filter');
  return [
    ...checked(CORE.webhook, attributes, whole, {
      target: (value) => faultOfTarget('The target must be', value),
      url: (value) =>
        typeof value === 'string' ? faultOfAddress(value, privateToo) : 'The url must be an https address.',
      events: faultOfEvents,
      secret: (value) =>
        value === null || (typeof value === 'string' && keyOfSecret(value) !== undefined)
          ? undefined
          : SECRET_FORM,
    }),
    ...(typeof filter === 'string' ? faultsOfFilter(filter) : []),
    ...faultsOfLinks('A webhook', relationships),
  ];
}

function faultOfEvents(value: Value): string | undefined {
  const isFine =
    isList(value) && value.length > 0 && value.every(isWriteEvent) && new Set(value).size === value.length;
  return isFine
    ? undefined
    : `The events are an array of ${oneOf(WRITE_EVENTS, 'and')}: one of them, or more.`;
}

/** `text` is the JSON of the filter: a raw attribute. */
function faultsOfFilter(text: string): readonly Problem[] {
  if (text === 'null') return [];
  const faults: Problem[] = [];
  const rule = readRule(text, (within, detail) => {
    const told = sentenceOf(detail).replace(/^A rule/, 'The filter of a webhook');
    faults.push(faultAt(`/filter${pointerOf(within)}`, told));
  });
  if (rule?.namesViewer === true) faults.push(faultAt('/filter', 'A webhook has no viewer: nobody asks.'));
  return faults;
}

/** A webhook sends what its key alone may read: all documents of the type, as a key without ACL and rules does. */
export function checkReach(type: string, { access }: Pick<RequestContext, 'access'>): readonly Problem[] {
  if (typeInfo(type).module === null) return [];
  const paths = [pathOfType(type), pathOfSome(type)];
  const unread = paths.find((path) => {
    const admitted = access.viewerOf(path);
    return admitted === null || admitted === 'exhausted' || isUnderAcl(admitted) || admitted.rule !== null;
  });
  if (unread === undefined) return [];
  const need = `the API key must permit get on ${unread} without ACL and without rules`;
  const detail = `A webhook sends all documents of its type: ${need}.`;
  return [faultAt('/target', detail, 'forbidden')];
}
