/** Applications: created with a first API key, deleted with everything in them. Only for the operator. */
import { refreshKey } from '../../auth/keys.ts';
import { refreshApplication } from '../../auth/applications.ts';
import { signerOf } from '../../auth/credentials.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Document } from '../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { CORE } from '../../domain/types.ts';
import type { Answer, RequestContext, Handler } from '../endpoint.ts';
import { PathParameters } from '../path-parameters.ts';
import { allowErasing, eraseApplication } from '../../collection/rpc/maintenance/applications.ts';
import { mergeOf } from '../../collection/rpc/writes/operations.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { ENDS } from '../../domain/applications/standing.ts';
import { answerCreated, createDocument, storeNew } from '../documents/write/creating.ts';
import { deleteDocument } from '../documents/handlers.ts';
import { preconditionOf, shownWritten } from '../documents/write/written.ts';
import { within } from './transfer/types.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { applicationId, type DocumentId } from '../../domain/ids.ts';
import { PLACEMENT, placedId, readPlacement } from '../../domain/applications/placements.ts';
import { memberAt } from '../../domain/values/json.ts';
import { hasJurisdictions } from '../../collection/rpc/environment.ts';

const EVERY_REQUEST = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete', 'bulk'] }];

export const createApplication: Handler = async (context) => {
  const placed = placedIdOf(context);
  if (!placed.ok) return placed;
  const created = await storeNew(context, placed.value);
  if (!created.ok) return created;
  const application = applicationId(created.value.document.id);
  const attributes = { name: 'first key', permissions: EVERY_REQUEST };
  const keys = collectionOf({ ...context, application }, CORE.apiKey);
  const key = await keys.create({ content: { attributes, relationships: {} } });
  if (!key.ok) return key;
  const signer = await signerOf(context.environment);
  const secureId = await signer.sign({ kind: 'api-key', application, id: key.value.document.id });
  return answerCreated(context, created.value.document, { 'api-key': secureId });
};

/** The id that says where the new application is to be; undefined for anywhere, and for what is no placement. */
function placedIdOf({ body, environment }: RequestContext): Outcome<DocumentId | undefined> {
  const named = memberAt(body, 'data', 'attributes', PLACEMENT);
  if (typeof named !== 'string') return ok(undefined);
  const read = readPlacement(named);
  if ('fault' in read) return ok(undefined);
  if ('jurisdiction' in read.placement && !hasJurisdictions(environment.COLLECTIONS)) {
    const detail = 'The service runs on one machine, where there are no jurisdictions.';
    return fail('invalid-attribute', detail, { pointer: `/data/attributes/${PLACEMENT}` });
  }
  return ok(placedId(read.placement, Date.now()));
}

/** Creates a key of the addressed application, for an operator without a sufficient one. */
export const createKey = within((context) =>
  createDocument({ ...context, parameters: new PathParameters(CORE.apiKey) }),
);

/** Deletes the data first and the application's document last, so that an interrupted deletion can be repeated. */
export const deleteApplication: Handler = async (context) => {
  const { type, id } = context.parameters;
  const admitted = await collectionOf(context, type).allows(id, 'delete', preconditionOf(context));
  if (!admitted.ok) return admitted;
  const application = applicationId(id);
  const allowed = await allowErasing({ ...context, application });
  if (!allowed.ok) return allowed;
  const keys = await eraseApplication({ ...context, application });
  await Promise.all(keys.map((key) => refreshKey(context.environment, application, key)));
  return deleteDocument(context);
};

/** Ends an application for its clients, and deletes it when its grace is over. The first time that was said stays. */
export const endApplication: Handler = async (context) => {
  const read = await collectionOf(context, context.parameters.type).read(context.parameters.id, TRUSTED);
  if (read.state === 'found' && memberOf(read.document.attributes, ENDS) instanceof Date) {
    return answerStanding(context, read.document);
  }
  const inside = { ...context, application: applicationId(context.parameters.id) };
  const allowed = read.state === 'found' ? await allowErasing(inside) : ok(null);
  if (!allowed.ok) return allowed;
  const grace = settingsOf(context.environment).deletionGrace;
  return setEnd(context, new Date(Date.now() + grace * 1000));
};

/** Has an application back whose grace is not over. */
export const keepApplication: Handler = (context) => setEnd(context, null);

async function setEnd(context: RequestContext, ends: Date | null): Promise<Outcome<Answer>> {
  const { type, id } = context.parameters;
  const change = mergeOf({ attributes: { [ENDS]: ends }, relationships: {} }, null);
  const updated = await collectionOf(context, type).update(id, change, preconditionOf(context));
  return updated.ok ? answerStanding(context, updated.value.document) : updated;
}

/** Also where nothing has changed: a request that was cut off is repeated. */
async function answerStanding(context: RequestContext, document: Document): Promise<Outcome<Answer>> {
  const application = applicationId(document.id);
  await refreshApplication(context.environment, application);
  // Every stream depends on a key.
  await collectionOf({ ...context, application }, CORE.apiKey).calls.tellFollowers();
  const { document: shown, ...caching } = await shownWritten(context, document);
  return ok({ status: 200, document: shown, ...caching });
}
