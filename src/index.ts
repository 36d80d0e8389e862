/** The Worker and its Durable Object class; nothing else. */
import { buildApp } from './http/app.ts';

export { Collection } from './collection/collection.ts';

export default buildApp();
