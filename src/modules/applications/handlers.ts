/** Applications: made with a first API key, deleted with everything in them. For the operator only. */
import { API_KEY_TYPE, refreshKey } from '../../auth/keys.ts';
import { signerOf } from '../../auth/credentials.ts';
import { TYPE_REGISTRY } from '../../collection/rpc/objects.ts';
import { unpackDocuments, unpackList, unpackRead } from '../../collection/rpc/packing.ts';
import { encodeText } from '../../domain/codec.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail } from '../../domain/problems.ts';
import { EVERYTHING } from '../../operators/filter/conditions.ts';
import type { Exchange, Handler } from '../endpoint.ts';
import {
  answerCreated,
  preconditionOf,
  createDocument,
  deleteDocument,
  storeNew,
} from '../documents/handlers.ts';
import { collectionOf } from '../documents/kind.ts';
import { openDocument } from '../documents/resource.ts';
import { packContent } from '../../collection/rpc/content.ts';

const EVERY_REQUEST = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete'] }];

export const createApplication: Handler = async (exchange) => {
  const created = await storeNew(exchange);
  if (!created.ok) return created;
  const application = created.value.id;
  const { name, stub } = collectionOf({ ...exchange, application }, API_KEY_TYPE);
  const attributes = { name: 'first key', permissions: EVERY_REQUEST };
  const key = await stub.create(name, {
    content: packContent({ attributes, relationships: {} }),
    owners: [],
    ownsItself: false,
  });
  if (!key.ok) return key;
  const signer = await signerOf(exchange.environment);
  const secureId = await signer.sign({ kind: 'api-key', application, id: key.value.document.id });
  return answerCreated(exchange, created.value, { 'api-key': secureId });
};

/** A key of the addressed application, for whoever has none that permits what is needed. */
export const createKey: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const read = unpackRead(await collectionOf(exchange, type).stub.read(id, null));
  if (read.state !== 'found') return fail('document-not-found', `There is no application ${id}.`);
  const parameters = { type: API_KEY_TYPE, id: '', name: '' };
  return createDocument({ ...exchange, application: id, parameters });
};

/**
 * Deletes the data first and the application's document last, so that a deletion cut short can be repeated. No new
 * type can come up meanwhile: the registry of types is sealed before it is read.
 */
export const deleteApplication: Handler = async (exchange) => {
  const { type, id } = exchange.parameters;
  const admitted = await collectionOf(exchange, type).stub.admits(id, 'delete', preconditionOf(exchange));
  if (!admitted.ok) return admitted;
  const inside = { ...exchange, application: id };
  const registry = collectionOf(inside, TYPE_REGISTRY);
  await registry.stub.seal();
  // Keys first: from then on nobody new gets in.
  for (const each of [API_KEY_TYPE, ...(await typesOf(inside))]) {
    const { name, stub } = collectionOf(inside, each);
    const ended = await stub.erase(name);
    if (each === API_KEY_TYPE) {
      await Promise.all(ended.map((key) => refreshKey(exchange.environment, id, key)));
    }
  }
  await registry.stub.erase(registry.name);
  return deleteDocument(exchange);
};

async function typesOf(exchange: Exchange): Promise<readonly string[]> {
  const { name, stub } = collectionOf(exchange, TYPE_REGISTRY);
  const condition = encodeText(EVERYTHING);
  const types = new Set<string>();
  for (let offset = 0; ; offset += LIMITS.pageSize) {
    const everything = {
      condition,
      sort: [],
      page: { offset, limit: LIMITS.pageSize },
      viewer: null,
      hidden: [],
    };
    const page = unpackList(await stub.list(name, everything));
    if (!page.ok) throw new Error('The registry of types can not be read.');
    for (const stored of unpackDocuments(page.value.documents)) {
      const type = openDocument(TYPE_REGISTRY, stored).attributes['name'];
      if (typeof type === 'string') types.add(type);
    }
    if (offset + LIMITS.pageSize >= page.value.total) return [...types];
  }
}
