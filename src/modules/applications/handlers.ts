/** Applications: created with a first API key, deleted with everything in them. Only for the operator. */
import { refreshKey } from '../../auth/keys.ts';
import { refreshApplication } from '../../auth/applications.ts';
import { signerOf } from '../../auth/credentials.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Document } from '../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { CORE } from '../../domain/types.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';
import { pathParameters } from '../path-parameters.ts';
import { eraseApplication } from '../../collection/rpc/upkeep/erasing.ts';
import { mergeOf } from '../../collection/rpc/operations.ts';
import { settingsOf } from '../../domain/settings.ts';
import { ENDS } from '../../domain/applications/standing.ts';
import { answerCreated, createDocument, storeNew } from '../documents/creating.ts';
import { deleteDocument } from '../documents/handlers.ts';
import { preconditionOf, shownWritten } from '../documents/written.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { applicationId, type DocumentId } from '../../domain/ids.ts';
import { PLACEMENT, placedId, readPlacement } from '../../domain/applications/placements.ts';
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import { hasJurisdictions } from '../../collection/rpc/jurisdictions.ts';

const EVERY_REQUEST = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete'] }];

export const createApplication: Handler = async (exchange) => {
  const placed = placedIdOf(exchange);
  if (!placed.ok) return placed;
  const created = await storeNew(exchange, placed.value);
  if (!created.ok) return created;
  const application = applicationId(created.value.document.id);
  const attributes = { name: 'first key', permissions: EVERY_REQUEST };
  const keys = collectionOf({ ...exchange, application }, CORE.apiKey);
  const key = await keys.create({ content: { attributes, relationships: {} } });
  if (!key.ok) return key;
  const signer = await signerOf(exchange.environment);
  const secureId = await signer.sign({ kind: 'api-key', application, id: key.value.document.id });
  return answerCreated(exchange, created.value.document, { 'api-key': secureId });
};

/** The id that says where the new application is to be; undefined for anywhere, and for what is no placement. */
function placedIdOf({ body, environment }: Exchange): Outcome<DocumentId | undefined> {
  const named = ['data', 'attributes', PLACEMENT].reduce<Parsed>(
    (within, name) => (isParsedObject(within) ? (memberOf(within, name) ?? null) : null),
    body,
  );
  if (typeof named !== 'string') return ok(undefined);
  const read = readPlacement(named);
  if ('fault' in read) return ok(undefined);
  if ('jurisdiction' in read.placement && !hasJurisdictions(environment)) {
    const detail = 'The service runs on one machine, where there are no jurisdictions.';
    return fail('invalid-attribute', detail, { pointer: `/data/attributes/${PLACEMENT}` });
  }
  return ok(placedId(read.placement, Date.now()));
}

/** Creates a key of the addressed application, for an operator without a sufficient one. */
export const createKey: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const read = await collectionOf(exchange, type).read(id, TRUSTED);
  if (read.state !== 'found') return fail('document-not-found', `There is no application ${id}.`);
  const parameters = pathParameters(CORE.apiKey);
  return createDocument({ ...exchange, application: applicationId(id), parameters });
};

/**
 * Deletes the data first and the application's document last, so that an interrupted deletion can be repeated.
 */
export const deleteApplication: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const admitted = await collectionOf(exchange, type).allows(id, 'delete', preconditionOf(exchange));
  if (!admitted.ok) return admitted;
  const application = applicationId(id);
  const keys = await eraseApplication({ ...exchange, application });
  await Promise.all(keys.map((key) => refreshKey(exchange.environment, application, key)));
  return deleteDocument(exchange);
};

/** Ends an application for its clients, and deletes it when its grace is over. The first time that was said stays. */
export const endApplication: Handler = async (exchange) => {
  const read = await collectionOf(exchange, exchange.parameters.type).read(exchange.parameters.id, TRUSTED);
  if (read.state === 'found' && memberOf(read.document.attributes, ENDS) instanceof Date) {
    return answerStanding(exchange, read.document);
  }
  const grace = settingsOf(exchange.environment).deletionGrace;
  return setEnd(exchange, new Date(Date.now() + grace * 1000));
};

/** Has an application back whose grace is not over. */
export const keepApplication: Handler = (exchange) => setEnd(exchange, null);

async function setEnd(exchange: Exchange, ends: Date | null): Promise<Outcome<Answer>> {
  const { type, id } = exchange.parameters;
  const change = mergeOf({ attributes: { [ENDS]: ends }, relationships: {} }, null);
  const updated = await collectionOf(exchange, type).update(id, change, preconditionOf(exchange));
  return updated.ok ? answerStanding(exchange, updated.value.document) : updated;
}

/** Also where nothing has changed: a request that was cut off is repeated. */
async function answerStanding(exchange: Exchange, document: Document): Promise<Outcome<Answer>> {
  const application = applicationId(document.id);
  await refreshApplication(exchange.environment, application);
  // Every stream depends on a key.
  await collectionOf({ ...exchange, application }, CORE.apiKey).tellFollowers();
  const { document: shown, ...caching } = await shownWritten(exchange, document);
  return ok({ status: 200, document: shown, ...caching });
}
