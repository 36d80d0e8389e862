/** The table of the service's own types, and what names of types mean. */
import { describe, expect, test } from 'vitest';
import { collectionOfObject, objectNameOf } from '../../src/collection/rpc/objects.ts';
import { aclTarget, pathOfAcl, pathOfDocument, pathOfType } from '../../src/domain/addresses/paths.ts';
import { CORE, isAggregateType, isOutputType, isResourceType } from '../../src/domain/types.ts';
import {
  coreTypesThat,
  typeInfo,
  isHolderType,
  isLinkable,
  storedNameOf,
  typeStoredAs,
} from '../../src/domain/types/facts.ts';
import { idOf, typeOf } from '../support/names.ts';
import { SYSTEM_APPLICATION } from '../../src/domain/ids.ts';

const ID = idOf('0123456789abcdef01234567');

describe('where documents are stored', () => {
  test('no two types share a collection', () => {
    const stored = Object.values(CORE).map(storedNameOf);
    expect(new Set(stored).size).toBe(stored.length);
  });

  test.each(Object.values(CORE))('%s is found again by what it is stored as', (type) => {
    expect(typeStoredAs(storedNameOf(type))).toBe(type);
  });

  test.each([
    ['a type of resources', 'articles', 'system/articles'],
    ['a type of the service', CORE.user, 'system/core.user'],
    ['the registry, as releases before named it', CORE.typeRegistry, 'system/core.type'],
  ])('the object of %s has its name', (_, type, name) => {
    const collection = { application: SYSTEM_APPLICATION, type: typeOf(type) };
    expect(objectNameOf(collection)).toBe(name);
    expect(collectionOfObject(name)).toEqual(collection);
  });

  test('a name of another form is no collection', () => {
    expect(collectionOfObject('articles')).toBeNull();
    expect(collectionOfObject('app/articles')).toBeNull();
  });
});

describe('names', () => {
  test.each([
    ['articles', { resource: true, linkable: true, aggregate: false, output: false }],
    ['core.user', { resource: false, linkable: true, aggregate: false, output: false }],
    ['core.application', { resource: false, linkable: false, aggregate: false, output: false }],
    ['core.type-registry', { resource: false, linkable: false, aggregate: false, output: false }],
    ['core.type', { resource: false, linkable: true, aggregate: false, output: false }],
    ['core.else', { resource: false, linkable: false, aggregate: false, output: false }],
    ['agt.sums', { resource: false, linkable: false, aggregate: true, output: true }],
    ['agt.', { resource: false, linkable: false, aggregate: true, output: false }],
    ['agt.sums.acl', { resource: false, linkable: false, aggregate: true, output: false }],
    ['agt.core.user', { resource: false, linkable: false, aggregate: true, output: false }],
    ['articles.acl', { resource: false, linkable: false, aggregate: false, output: false }],
    ['constructor', { resource: true, linkable: true, aggregate: false, output: false }],
  ])('%s', (name, meant) => {
    expect({
      resource: isResourceType(name),
      linkable: isLinkable(name),
      aggregate: isAggregateType(name),
      output: isOutputType(name),
    }).toEqual(meant);
  });
});

test.each([
  ['identity', ['core.user', 'core.external-user', 'core.user-group']],
  ['schemaTarget', ['core.user', 'core.external-user', 'core.user-group', 'core.file']],
  ['pipelineInput', ['core.user', 'core.external-user', 'core.user-group', 'core.file']],
  ['hasContent', ['core.file']],
  ['holdsTokens', ['core.user', 'core.external-user']],
  ['unreadable', ['core.account-action', 'core.user.token']],
  ['keepsLast', ['core.api-key']],
  ['published', ['core.api-key', 'core.application']],
  ['signed', ['core.user.token', 'core.external-user.token', 'core.api-key']],
] as const)('of the types of the service, %s holds for some', (fact, types) => {
  expect(
    Object.values(CORE)
      .filter((type) => typeInfo(type)[fact] === true)
      .sort(),
  ).toEqual([...types].sort());
});

test('schemas, settings and webhooks are pushed to the collections that they are for', () => {
  const pushed = Object.values(CORE).flatMap((type) => typeInfo(type).pushed ?? []);
  expect(pushed.sort()).toEqual(['schemas', 'settings', 'webhooks']);
});

test('passwords are secret, and no pipeline sees them', () => {
  expect(typeInfo(CORE.user).secret).toEqual(['password']);
  const readable = Object.values(CORE).filter((type) => {
    const { identity, pipelineInput } = typeInfo(type);
    return pipelineInput === true && identity === true;
  });
  expect(readable.map((type) => typeInfo(type).hiddenFromPipelines)).toEqual(
    readable.map(() => ['password']),
  );
});

test('holders are told from other identities', () => {
  expect([CORE.user, CORE.externalUser, CORE.userGroup, 'articles'].map(isHolderType)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('types with a fact in common are listed in their order', () => {
  expect(coreTypesThat(({ identity }) => identity)).toEqual([CORE.user, CORE.externalUser, CORE.userGroup]);
});

test.each([
  ['articles', '/resources/articles'],
  ['core.user', '/users/core.user'],
  ['core.user-group', '/users/core.user-group'],
  ['core.external-user.token', '/users/core.external-user.token'],
  ['core.api-key', '/api-keys/core.api-key'],
  ['core.schema', '/schemas/core.schema'],
  ['core.aggregate', '/aggregates/core.aggregate'],
  ['core.application', '/applications/core.application'],
  ['agt.sums', '/aggregates/agt.sums'],
])('documents of %s are at %s', (type, path) => {
  expect(pathOfType(type)).toBe(path);
  expect(pathOfDocument(type, ID)).toBe(`${path}/${ID}`);
});

test('an id that a pipeline made is one segment', () => {
  expect(pathOfDocument('agt.sums', idOf('a/b'))).toBe('/aggregates/agt.sums/a%2Fb');
});

test.each([
  ['articles.acl', `/resources/articles.acl/${ID}`],
  ['articles.acl.acl', `/resources/articles.acl.acl/${ID}`],
  ['core.user.acl', `/users/core.user.acl/${ID}`],
  ['articles', undefined],
])('the rights of %s are beside their documents', (type, path) => {
  const target = aclTarget(type);
  expect(target && pathOfAcl(target, ID)).toBe(path);
});
