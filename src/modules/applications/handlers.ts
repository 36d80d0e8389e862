/** Applications: created with a first API key, deleted with everything in them. Only for the operator. */
import { refreshKey } from '../../auth/keys.ts';
import { signerOf } from '../../auth/credentials.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { fail } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import type { Handler } from '../endpoint.ts';
import { pathParameters } from '../path-parameters.ts';
import { typesOf } from './types.ts';
import { answerCreated, createDocument, storeNew } from '../documents/creating.ts';
import { deleteDocument } from '../documents/handlers.ts';
import { preconditionOf } from '../documents/written.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { applicationId } from '../../domain/ids.ts';

const EVERY_REQUEST = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete'] }];

export const createApplication: Handler = async (exchange) => {
  const created = await storeNew(exchange);
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

/** Creates a key of the addressed application, for an operator without a sufficient one. */
export const createKey: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const read = await collectionOf(exchange, type).read(id, TRUSTED);
  if (read.state !== 'found') return fail('document-not-found', `There is no application ${id}.`);
  const parameters = pathParameters(CORE.apiKey);
  return createDocument({ ...exchange, application: applicationId(id), parameters });
};

/**
 * Deletes the data first and the application's document last, so that an interrupted deletion can be repeated. No new
 * type can appear meanwhile: the registry of types is closed before it is read.
 */
export const deleteApplication: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const admitted = await collectionOf(exchange, type).allows(id, 'delete', preconditionOf(exchange));
  if (!admitted.ok) return admitted;
  const application = applicationId(id);
  const inside = { ...exchange, application };
  const registry = collectionOf(inside, CORE.typeRegistry);
  await registry.seal();
  // Keys first: from then on no new client is admitted.
  for (const each of [CORE.apiKey, ...(await typesOf(inside))]) {
    const ended = await collectionOf(inside, each).erase();
    if (each === CORE.apiKey) {
      await Promise.all(ended.map((key) => refreshKey(exchange.environment, application, key)));
    }
  }
  await registry.erase();
  return deleteDocument(exchange);
};
