/**
 * What an application has of a person, and its end: their user document, tokens, memberships, the documents that are
 * theirs, and their name in all others. For the operator, and for a user who proves the address.
 */
import { refreshKey } from '../../../auth/keys.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { idsOf, typesOf } from '../../../collection/rpc/maintenance/applications.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import type { Person, Traces } from '../../../collection/rpc/maintenance/rights.ts';
import { keyOf, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, ok } from '../../../domain/problems.ts';
import { readIdentity } from '../../../domain/rights.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE, isResourceType, type TypeName } from '../../../domain/types.ts';
import { isHolderType, tokenTypeOf } from '../../../domain/types/facts.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { type Value, isFields, ObjectId } from '../../../domain/values/values.ts';
import { isList, mapFields, memberOf } from '../../../domain/values/tree.ts';
import { linksTo } from '../../../operators/filter/through.ts';
import { senderOf } from '../../documents/write/written.ts';
import type { RequestContext, Handler } from '../../endpoint.ts';
import { applicationInside } from '../transfer/types.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { Path } from '../../../query/walk.ts';

/** Documents that one request erases, about: whoever asks for it repeats it. */
const ERASED_BY_REQUEST = 10_000;

/** What identities stand in, beside documents: permissions of keys, and rights that settings of types give. */
const LISTS: readonly (readonly [type: TypeName, attribute: string])[] = [
  [CORE.apiKey, 'permissions'],
  [CORE.typeSettings, 'rights'],
];

/** Types of the service whose documents are theirs, beside those of the application. */
const OWNED: readonly TypeName[] = [CORE.file, CORE.passkey, CORE.identity, CORE.secondFactor];

type Found = Traces & { readonly name: string };

export const readTraces: Handler = async (context) => {
  const known = await personIn(context);
  if (!known.ok) return known;
  const { inside, link } = known.value;
  const person = await personOf(inside, link);
  const types: Found[] = [];
  for (const type of await typesWith(inside)) {
    const { owned, named } = await collectionOf(inside, type).calls.traces(ofType(person, type));
    const own = (await isThere(inside, link, type)) ? 1 : 0;
    const tokens = type === tokensOf(link) ? (await tokensWith(inside, link)).length : 0;
    // Rights of a user on their own document, and on their tokens, name them in what is theirs.
    const entries = type === CORE.auditEntry ? await entriesNaming(inside, link) : 0;
    const lists = (await listsNaming(inside, link, type)).length + entries;
    types.push({ name: type, owned: owned + own + tokens, named: Math.max(0, named - own - tokens) + lists });
  }
  return ok({ status: 200, document: { meta: { types: countsOf(types), more: false } }, confidential: true });
};

export const erasePerson: Handler = async (context) => {
  const known = await personIn(context);
  if (!known.ok) return known;
  const { inside, link } = known.value;
  const meta = await eraseAll(inside, link, ERASED_BY_REQUEST);
  return ok({ status: 200, document: { meta }, confidential: true });
};

/** Erases what an application has of a person, about so many documents; to be repeated while there is more. */
export async function eraseAll(inside: RequestContext, link: Link, most = Infinity) {
  const person = await personOf(inside, link);
  let left = most;
  const types: Found[] = [];
  let more = false;
  const held: TypeName[] = [];
  // The user goes first. The audit trail comes last: until then, what waits to be noted may reach it with the name.
  const others = (await typesWith(inside)).filter((type) => type !== CORE.auditEntry);
  for (const type of new Set([link.type, ...others, CORE.auditEntry])) {
    let owned = 0;
    if (type === tokensOf(link)) owned += await endTokens(inside, type, link);
    let named = await leaveLists(inside, link, type);
    if (type === CORE.auditEntry) named += await leaveTrail(inside, link);
    for (let again = true; again && left > 0;) {
      const erased = await collectionOf(inside, type).calls.erasePerson({
        ...ofType(person, type),
        user: type === link.type ? link.id : null,
      });
      owned += erased.owned;
      named += erased.named;
      left -= erased.owned + erased.named;
      again = erased.more;
      more = again;
      if (erased.held && !held.includes(type)) held.push(type);
    }
    types.push({ name: type, owned, named });
    if (left <= 0) {
      more = true;
      break;
    }
  }
  return { types: countsOf(types), more, held };
}

/** Only what has something is told. */
function countsOf(types: readonly Found[]) {
  return types
    .filter(({ owned, named }) => owned + named > 0)
    .map(({ name, owned, named }) => ({ name, owned, named }));
}

/** The person of the path: somebody who is, or was, a user of the application. */
async function personIn(context: RequestContext) {
  const { type, user: id } = context.parameters;
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const unknown = await collectionOf(inside.value, type).calls.missing([id], 'ever');
  if (unknown.length > 0) return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  const link = { type, id };
  return ok({ inside: inside.value, link });
}

async function personOf(inside: RequestContext, link: Link): Promise<Person> {
  const keys = await idsOf(inside, CORE.apiKey);
  const senders = keys.map((key) => senderOf(key, keyOf(link)));
  return { identity: keyOf(link), user: null, senders, owns: false };
}

function ofType(person: Person, type: TypeName): Person {
  return { ...person, owns: isResourceType(type) || OWNED.includes(type) };
}

async function typesWith(inside: RequestContext): Promise<readonly TypeName[]> {
  return [...new Set<TypeName>([CORE.apiKey, ...(await typesOf(inside))])];
}

function tokensOf({ type }: Link): TypeName | null {
  return isHolderType(type) ? tokenTypeOf(type) : null;
}

async function isThere(inside: RequestContext, link: Link, type: TypeName): Promise<boolean> {
  if (type !== link.type) return false;
  return (await collectionOf(inside, type).calls.missing([link.id])).length === 0;
}

/** The tokens of a user; none for whom nobody logs in as. */
async function tokensWith(inside: RequestContext, link: Link): Promise<readonly DocumentId[]> {
  const type = tokensOf(link);
  return type === null ? [] : idsOf(inside, type, linksTo('user', link.type, [link.id]));
}

/** Deletes the documents of the tokens of a user, who is gone, and tells how many there were. */
async function endTokens(inside: RequestContext, type: TypeName, link: Link): Promise<number> {
  let count = 0;
  for (const id of await tokensWith(inside, link)) {
    const removed = await collectionOf(inside, type).remove(id, { ...TRUSTED, ifMatch: null });
    if (removed.ok) count += 1;
  }
  return count;
}

interface Naming {
  readonly id: Link['id'];
  readonly attribute: string;
  readonly left: Value;
}

/** The documents of a type whose lists name a person, with what these are without. */
async function listsNaming(inside: RequestContext, link: Link, type: TypeName): Promise<readonly Naming[]> {
  const found: Naming[] = [];
  for (const [each, attribute] of LISTS) {
    if (each !== type) continue;
    for (const id of await idsOf(inside, type)) {
      const read = await collectionOf(inside, type).read(id, TRUSTED);
      const value = read.state === 'found' ? memberOf(read.document.attributes, attribute) : undefined;
      if (value === undefined) continue;
      const left = without(value, link);
      if (JSON.stringify(left) !== JSON.stringify(value)) found.push({ id, attribute, left });
    }
  }
  return found;
}

async function leaveLists(inside: RequestContext, link: Link, type: TypeName): Promise<number> {
  const naming = await listsNaming(inside, link, type);
  for (const { id, attribute, left } of naming) {
    const change = mergeOf({ attributes: { [attribute]: left }, relationships: {} }, null);
    const changed = await collectionOf(inside, type).update(id, change, { ...TRUSTED, ifMatch: null });
    if (changed.ok && type === CORE.apiKey) await refreshKey(inside.environment, inside.application, id);
  }
  return naming.length;
}

/** A value whose lists, at any depth, do not hold a link. */
function without(value: Value, link: Link): Value {
  if (isList(value)) return value.filter((each) => !isLinkTo(each, link)).map((each) => without(each, link));
  if (!isFields(value)) return value;
  return mapFields(value, (each) => without(each, link));
}

function isLinkTo(value: Value, link: Link): boolean {
  const identity = readIdentity(value);
  return identity !== undefined && keyOf(identity) === keyOf(link);
}

/** Where an entry names a person: the path of the filter, which begins with the attribute that goes. */
const PLACES = [['user', 'id'], ['target-id']] as const;

/** Their ids do not ascend with their places: the collections that note them make them. */
const BY_ID = [{ path: ['id'], direction: 'ascending' }] as const;

/** Entries that one step changes. */
const AT_ONCE = LIMITS.bulk / 2;

async function entriesNaming(inside: RequestContext, link: Link): Promise<number> {
  let count = 0;
  for (const path of PLACES) count += (await find(inside, link, path, 1)).total;
  return count;
}

async function leaveTrail(inside: RequestContext, link: Link): Promise<number> {
  const trail = collectionOf(inside, CORE.auditEntry);
  let count = 0;
  for (const path of PLACES) {
    const [attribute] = path;
    for (;;) {
      const { last } = await find(inside, link, path, AT_ONCE);
      if (last === undefined) break;
      const before = { op: 'lte', path: ['id'], value: new ObjectId(last) } as const;
      const condition = encodeText({ op: 'and', conditions: [naming(link, path), before] });
      const change = mergeOf({ attributes: { [attribute]: null }, relationships: {} }, null);
      const request = { condition, hidden: [], reader: TRUSTED, writer: TRUSTED, limit: LIMITS.bulk, change };
      const changed = await trail.bulk(request);
      if (!changed.ok) throw new Error('The entries of the audit trail can not be changed.');
      count += changed.value;
    }
  }
  return count;
}

async function find(inside: RequestContext, link: Link, path: Path, limit: number) {
  const condition = encodeText(naming(link, path));
  const request = { condition, sort: BY_ID, page: { offset: 0, limit }, ...TRUSTED, hidden: [] };
  const listed = await collectionOf(inside, CORE.auditEntry).list(request, ({ documents, total }) =>
    Promise.resolve(ok({ last: documents.at(-1)?.id, total: total ?? 0 })),
  );
  if (!listed.ok) throw new Error('The audit trail can not be searched.');
  return listed.value;
}

function naming({ id }: Link, path: Path) {
  return { op: 'eq', path, value: id } as const;
}
