/** Reads a line of an import into what is stored, with the reasons why it cannot be. */
import type { ImportLine } from '../../../collection/rpc/maintenance/transfer.ts';
import { EDIT_KINDS, ERASED, type Edit } from '../../../collection/rpc/history.ts';
import { keyOf, type Content } from '../../../domain/documents.ts';
import { readId, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { failed, ok, problem, type Outcome, type Problem } from '../../../domain/problems.ts';
import { EVERYONE, MEMBERS, readGrant, readIdentity, type Grant } from '../../../domain/rights.ts';
import { isHolderType } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import { parseDate } from '../../../domain/values/dates.ts';
import { isParsedObject, parseJson, type Parsed, type ParsedObject } from '../../../domain/values/json.ts';
import { isList, mapFields, memberOf } from '../../../domain/values/tree.ts';
import type { Value } from '../../../domain/values/values.ts';
import { readValue } from '../../../domain/values/wrappers.ts';
import { readGrants } from '../../documents/body/read-meta.ts';
import { readDocument } from '../../documents/body/read-body.ts';
import type { DocumentKind } from '../../documents/kind.ts';

const META = ['created', 'updated', 'creator', 'acl', 'acl.acl', 'deleted', 'readers', 'history'];

/** Of those who hold tokens. */
const META_OF_HOLDERS = [...META, 'versions'];

/** The line at a position, which has to be of a type. */
export function readLine(
  text: string,
  at: number,
  type: TypeName,
  kind: DocumentKind,
): Outcome<ImportLine<Content>> {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) return refuse('invalid-json', [], parsed.detail);
  if (!isParsedObject(parsed.value)) return refuse('invalid-body', [], 'A line is an object.');
  const { type: sentType, id: sentId, meta: sentMeta = {}, ...content } = parsed.value;
  if (sentType !== type) {
    return refuse('type-conflict', ['type'], `The lines of one request are of one type, here ${type}.`);
  }
  const id = typeof sentId === 'string' ? readId(sentId) : undefined;
  if (id === undefined) return refuse('invalid-body', ['id'], 'An id has 24 hexadecimal digits.');
  if (!isParsedObject(sentMeta))
    return refuse('invalid-body', ['meta'], 'The meta member must be an object.');
  const names = isHolderType(type) ? META_OF_HOLDERS : META;
  const strange = Object.keys(sentMeta).find((name) => !names.includes(name));
  if (strange !== undefined) {
    return refuse(
      'invalid-body',
      ['meta', strange],
      `There is no such member; there are ${names.join(', ')}.`,
    );
  }
  const deleted = memberOf(sentMeta, 'deleted') ?? false;
  if (deleted === true) return readDeletion(at, id, sentMeta);
  if (deleted !== false) return refuse('invalid-body', ['meta', 'deleted'], 'This is true or false.');
  const history = memberOf(sentMeta, 'history');
  const edit = history === undefined ? null : readEdit(history);
  if (edit === undefined) return refuse('invalid-body', ['meta', 'history'], EDIT);
  // Nothing was there before, or it is not known.
  if (edit !== null && Object.keys(content).length === 0 && memberOf(sentMeta, 'created') === undefined)
    return ok({ at, version: { id, edit, former: null } });
  const read = readDocument({ data: { ...content, type } }, type, null, kind);
  if (!read.ok) return failed(...read.problems.map(ofLine));
  const document = read.value;
  const meta = readMeta(sentMeta);
  const problems = [
    ...document.problems,
    ...(kind.validate?.(document.content, true, null) ?? []),
    ...(kind.faultsOfStored?.(document.content) ?? []),
  ].map(ofLine);
  if (problems.length > 0 || meta.problems.length > 0) return failed(...problems, ...meta.problems);
  const { acl, auditFields, versions } = meta;
  // Without its times a document may be another that looks the same: nobody has tokens of that.
  const known = auditFields !== null && { auditFields, versions };
  const whole = { id, content: document.content, acl, ...known };
  return ok(edit === null ? { at, document: whole } : { at, version: { id, edit, former: whole } });
}

const EDIT =
  'This is {number, change, at, user, key}, as an export has it; ' +
  `a change is one of ${EDIT_KINDS.join(', ')}.`;

/** How a version came about; undefined for what does not say it. */
function readEdit(sent: Parsed): Edit | undefined {
  if (!isParsedObject(sent)) return undefined;
  const n = memberOf(sent, 'number');
  const change = EDIT_KINDS.find((kind) => kind === memberOf(sent, 'change'));
  const sentAt = memberOf(sent, 'at');
  const at = typeof sentAt === 'string' ? parseDate(sentAt)?.getTime() : undefined;
  const sentUser = memberOf(sent, 'user') ?? null;
  const identity = readIdentity(valueOf(sentUser));
  const user = sentUser === null || sentUser === ERASED ? sentUser : identity && keyOf(identity);
  const sentKey = memberOf(sent, 'key') ?? null;
  const key = typeof sentKey === 'string' ? readId(sentKey) : sentKey;
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 1 || n > LIMITS.carriedVersion) return undefined;
  if (change === undefined || at === undefined || user === undefined) return undefined;
  return typeof key === 'string' || key === null ? { n, change, at, user, key } : undefined;
}

function readDeletion(at: number, id: DocumentId, meta: ParsedObject): Outcome<ImportLine<Content>> {
  const grant = readGrant(valueOf(memberOf(meta, 'readers') ?? []));
  if (grant === undefined) return refuse('invalid-body', ['meta', 'readers'], GRANT);
  const readers = grant === EVERYONE ? [EVERYONE] : grant;
  return ok({ at, deletion: { id, readers } });
}

const GRANT = 'These are "*" or an array of users, user groups and external users as {type, id}.';

/** What the service knew of the document. Where the line does not say it, `auditFields` is null. */
function readMeta(meta: ParsedObject) {
  const problems: Problem[] = [];
  const report = (name: string, detail: string) => {
    problems.push(problem('invalid-body', detail, { pointer: pointerOf(placeOf('meta', name)) }));
  };
  const timeOf = (name: string): number | null => {
    const sent = memberOf(meta, name) ?? null;
    const date = typeof sent === 'string' ? parseDate(sent) : undefined;
    if (sent !== null && date === undefined) report(name, 'A time is an ISO 8601 string, or null.');
    return date?.getTime() ?? null;
  };
  const created = timeOf('created');
  const updated = timeOf('updated');
  const sentCreator = memberOf(meta, 'creator') ?? null;
  const creator = sentCreator === null ? null : (readIdentity(valueOf(sentCreator)) ?? null);
  if (sentCreator !== null && creator === null)
    report('creator', 'A creator is a user as {type, id}, or null.');
  const acl = [...rightsIn(meta, 'acl', 'acl', problems), ...rightsIn(meta, 'acl.acl', 'super', problems)];
  const versions = memberOf(meta, 'versions') ?? [];
  const areVersions =
    isList(versions) && versions.length <= LIMITS.carriedVersions && versions.every(isVersion);
  if (!areVersions) {
    const detail = `These are at most ${LIMITS.carriedVersions} whole numbers from 1 to ${LIMITS.carriedVersion}.`;
    report('versions', detail);
  }
  return {
    acl: Object.fromEntries(acl),
    versions: areVersions ? versions : [],
    auditFields: memberOf(meta, 'created') === undefined ? null : { creator, created, updated },
    problems,
  };
}

function isVersion(sent: Parsed): sent is number {
  return typeof sent === 'number' && Number.isInteger(sent) && sent >= 1 && sent <= LIMITS.carriedVersion;
}

function rightsIn(
  meta: ParsedObject,
  name: string,
  level: 'acl' | 'super',
  problems: Problem[],
): readonly (readonly [string, Grant])[] {
  const sent = memberOf(meta, name);
  if (sent === undefined) return [];
  const place = placeOf('meta', name);
  if (!isParsedObject(sent)) {
    problems.push(problem('invalid-body', 'This is an object of rights.', { pointer: pointerOf(place) }));
    return [];
  }
  const read = readGrants(mapFields(sent, valueOf), level, place, Infinity);
  problems.push(...read.problems);
  return Object.entries(read.grants).flatMap(([member, grant]) => {
    const right = MEMBERS[level][member];
    return right === undefined || grant.length === 0 ? [] : [[right, grant] as const];
  });
}

/** What is no value is none of those that are looked for. */
function valueOf(parsed: Parsed): Value {
  return readValue(parsed, placeOf(), () => undefined);
}

/** The places of a body begin with `data`, which a line is by itself. */
export function ofLine({ source, ...rest }: Problem): Problem {
  if (source === undefined || !('pointer' in source)) return { ...rest, ...(source && { source }) };
  return { ...rest, source: { pointer: source.pointer.replace(/^\/data/, '') } };
}

function refuse(code: Problem['code'], steps: readonly string[], detail: string): Outcome<never> {
  return failed(problem(code, detail, { pointer: pointerOf(placeOf(...steps)) }));
}
