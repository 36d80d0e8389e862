/** The kind of webhooks (docs/webhooks.md). */
import { pathOfDocument, pathOfType } from '../../domain/addresses/paths.ts';
import type { Content } from '../../domain/documents.ts';
import { storedId } from '../../domain/ids.ts';
import { offerOf, oneOf } from '../../domain/names.ts';
import { faultOfAddress } from '../../domain/outward.ts';
import { inside, placeOf, pointerOf, type Place } from '../../domain/pointer.ts';
import { ok, problem, type Problem, type ProblemCode } from '../../domain/problems.ts';
import { isUnderAcl } from '../../domain/secrets.ts';
import { settingsOf } from '../../domain/settings.ts';
import { coreTypesThat, typeInfo } from '../../domain/types.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { isWriteEvent, keyOfSecret, newSecret, SECRET_FORM, WRITE_EVENTS } from '../../domain/webhooks.ts';
import { readRule } from '../../operators/filter/rule.ts';
import type { RequestContext } from '../endpoint.ts';
import { showRaw } from '../documents/body/raw.ts';
import type { DocumentKind } from '../documents/kind.ts';

const ATTRIBUTES = placeOf('data', 'attributes');

export const WEBHOOKS: DocumentKind = {
  rawAttributes: new Set(['filter']),
  // Who changes a webhook must be able to read what it is about.
  validatesWhole: true,

  validate: (content, whole, current, context) => {
    const type = typeOfWebhook({ ...current, ...content.attributes });
    return [
      ...checkContent(content, whole, context),
      ...(context === undefined || type === undefined ? [] : checkReach(type, context)),
    ];
  },

  rules: ({ attributes }, current) => {
    const { filter, target } = { ...current, ...attributes };
    const rule = typeof filter === 'string' ? readRule(filter, () => undefined) : null;
    const pointer = pointerOf(inside(ATTRIBUTES, 'filter'));
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

  attributes: (document, context) => {
    const shown = showRaw(document.attributes, 'filter');
    const type = typeOfWebhook(document.attributes);
    const isTrusted =
      !isUnderAcl(context.access) && (type === undefined || checkReach(type, context).length === 0);
    if (isTrusted) return Promise.resolve(shown);
    return Promise.resolve(Object.fromEntries(Object.entries(shown).filter(([name]) => name !== 'secret')));
  },
};

function checkContent(
  { attributes, relationships }: Content,
  whole: boolean,
  context: RequestContext | undefined,
): readonly Problem[] {
  const faults: Problem[] = [];
  const check = (name: string, required: boolean, faultOf: (value: Value) => string | undefined) => {
    const value = memberOf(attributes, name);
    if (value === undefined) {
      if (required && whole) faults.push(missing(name));
      return;
    }
    const detail = faultOf(value);
    if (detail !== undefined) faults.push(at(inside(ATTRIBUTES, name), detail));
  };
  // Where nobody asks, as in an import, each call looks at the address anyway.
  const privateToo = context === undefined || settingsOf(context.environment).webhooksToPrivate;
  check('target', true, faultOfTarget);
  check('url', true, (value) =>
    typeof value === 'string' ? faultOfAddress(value, privateToo) : 'The url must be an https address.',
  );
  check('events', false, faultOfEvents);
  check('active', false, (value) => (typeof value === 'boolean' ? undefined : 'This must be true or false.'));
  check('secret', false, (value) =>
    value === null || (typeof value === 'string' && keyOfSecret(value) !== undefined)
      ? undefined
      : SECRET_FORM,
  );
  const filter = memberOf(attributes, 'filter');
  const links = Object.keys(relationships).map((name) =>
    at(placeOf('data', 'relationships', name), 'A webhook has no relationships.', 'invalid-relationship'),
  );
  return [...faults, ...(typeof filter === 'string' ? faultsOfFilter(filter) : []), ...links];
}

function faultOfTarget(value: Value): string | undefined {
  if (typeof value === 'string' && typeInfo(value).schemaTarget === true) return undefined;
  const types = coreTypesThat((facts) => facts.schemaTarget);
  const offer = typeof value === 'string' ? offerOf(value, types) : '';
  return `The target must be a type of resources, ${oneOf(types, 'or')}.${offer}`;
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
  const place = pointerOf(inside(ATTRIBUTES, 'filter'));
  const faults: Problem[] = [];
  const rule = readRule(text, (within, detail) => {
    faults.push(problem('invalid-attribute', told(detail), { pointer: `${place}${pointerOf(within)}` }));
  });
  if (rule?.namesViewer === true) {
    faults.push(at(inside(ATTRIBUTES, 'filter'), 'A webhook has no viewer: nobody asks.'));
  }
  return faults;
}

function told(detail: string | (() => string)): string {
  return (typeof detail === 'string' ? detail : detail()).replace(/^A rule/, 'The filter of a webhook');
}

/** A webhook sends what its key may read, and is that key's alone: all documents of the type, as a key without ACL and rules does. */
export function checkReach(type: string, { access }: RequestContext): readonly Problem[] {
  if (typeInfo(type).module === null) return [];
  const paths = [pathOfType(type), pathOfDocument(type, SOME_ID)];
  const unread = paths.find((path) => {
    const admitted = access.viewerOf(path);
    return admitted === null || admitted === 'exhausted' || isUnderAcl(admitted) || admitted.rule !== null;
  });
  if (unread === undefined) return [];
  const detail = `A webhook sends all documents of its type: the API key must permit get on ${unread} without ACL and without rules.`;
  return [at(inside(ATTRIBUTES, 'target'), detail, 'forbidden')];
}

/** An id like any other, for the path of a document. */
const SOME_ID = storedId('6b011e2f6aeea231a557b680');

function missing(name: string): Problem {
  return at(inside(ATTRIBUTES, name), `The attribute ${name} is required.`, 'missing-attribute');
}

function at(place: Place, detail: string, code: ProblemCode = 'invalid-attribute'): Problem {
  return problem(code, detail, { pointer: pointerOf(place) });
}

/** The type that a stored webhook is about. */
export function typeOfWebhook(attributes: Fields): string | undefined {
  const type = memberOf(attributes, 'target');
  return typeof type === 'string' ? type : undefined;
}
