/**
 * `POST …/documents/{type}` of an application: lines of an export, stored as they are, all or none. What is already
 * there and the same counts as stored, so a request can be repeated. Every refused line is told.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type {
  ImportBatch,
  ImportLine,
  ImportResult,
  RefusedLine,
} from '../../../collection/rpc/maintenance/transfer.ts';
import { keyOf, type Content, type Document } from '../../../domain/documents.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { isParsedObject, parseJson, type ParsedObject } from '../../../domain/values/json.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { placeOf } from '../../../domain/pointer.ts';
import {
  fail,
  failed,
  ok,
  pointerIn,
  problem,
  PROBLEMS,
  type Outcome,
  type Problem,
} from '../../../domain/problems.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import { typeInfo, isWrittenAlone } from '../../../domain/types/facts.ts';
import { checkLinks, linksIn } from '../../documents/linked/links.ts';
import type { RequestContext, Handler } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { applicationInside } from './types.ts';
import { ofLine, readLine } from './read-line.ts';
import { applicationId } from '../../../domain/ids.ts';

type Line = ImportLine<Content>;

/** Problems that are told of one line. */
const TOLD_OF_LINE = 3;

/** How lines are to be taken: what the first line says, where it has no type. */
interface Manner {
  /** Documents that later lines bring, as `keyOf` writes them: links may lead to them. */
  readonly expected: ReadonlySet<string>;
  /** False where schemas and links need not hold. */
  readonly checked: boolean;
}

export const importDocuments: Handler = async (context) => {
  const { type, id } = context.parameters;
  const inside = type === CORE.application ? ok(context) : await applicationInside(context);
  if (!inside.ok) return inside;
  const texts = typeof context.body === 'string' ? linesOf(context.body) : [];
  const { manner, first, problems } = readManner(texts[0]);
  if (problems.length > 0) return failed(...problemsOf([{ at: 0, problems }]));
  const lines = texts.slice(first);
  if (lines.length > (isWrittenAlone(type) ? 1 : LIMITS.importLines)) return tooManyLines(type);
  const kind = kindOfType(type);
  const read: Line[] = [];
  const refused: RefusedLine[] = [];
  for (const [index, text] of lines.entries()) {
    const at = index + first;
    const line = readLine(text, at, type, kind);
    if (!line.ok) refused.push({ at, problems: line.problems });
    else if (type === CORE.application && !('document' in line.value && line.value.document.id === id))
      refused.push(strange(at));
    else read.push(line.value);
  }
  if (manner.checked) refused.push(...(await faultsOfLinks(inside.value, read, manner.expected)));
  const wrong = new Set(refused.map(({ at }) => at));
  const there = manner.checked
    ? await configurationAmong(inside.value, type, read)
    : new Map<Line, Document>();
  const batch: ImportBatch<Content> = {
    lines: read.filter(({ at }) => !wrong.has(at)).flatMap((line) => replacing(line, there.get(line))),
    stores: refused.length === 0,
    checked: manner.checked,
  };
  const deletions = batch.lines.flatMap((line) => ('deletion' in line ? [line.deletion] : []));
  if (batch.stores && deletions.length > 0) {
    const ended = await kind.burying?.(deletions, inside.value);
    if (ended?.ok === false) return ended;
  }
  const taken = await (type === CORE.application
    ? makeApplication(context, batch)
    : collectionOf(inside.value, type).importLines(batch));
  if (!taken.ok) return taken;
  if (!taken.value.ok) return failed(...problemsOf([...refused, ...taken.value.refused]));
  const { made, stored } = taken.value;
  for (const line of read) {
    if ('document' in line) await kind.changed?.(line.document.id, inside.value);
  }
  return ok({ status: 200, document: { meta: { stored, unchanged: read.length - stored, made } } });
};

/** The types whose documents say how others are: an import brings those that are there up to date. */
const CONFIGURATION: readonly string[] = [CORE.typeSettings, CORE.schema, CORE.aggregate];

/** The lines of such documents that are there, by the name that is theirs alone or else by their ids. */
async function configurationAmong(caller: RequestContext, type: TypeName, lines: readonly Line[]) {
  const found = new Map<Line, Document>();
  const [unique] = typeInfo(type).unique ?? [];
  for (const line of CONFIGURATION.includes(type) ? lines : []) {
    if (!('document' in line)) continue;
    const name = unique && memberOf(line.document.content.attributes, unique);
    if (unique !== undefined && typeof name === 'string') {
      const named = await collectionOf(caller, type).findUnique(unique, name);
      if (named !== null) found.set(line, named);
    } else {
      const read = await collectionOf(caller, type).read(line.document.id, TRUSTED);
      if (read.state === 'found') found.set(line, read.document);
    }
  }
  return found;
}

/** The attributes that are there; null is as if one were not. */
function textOf({ attributes }: Content): string {
  const there = Object.entries(attributes).filter(([, value]) => value !== null);
  return encodeText(Object.fromEntries(there.sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** The line, with the document that it changes, if one is there; none where that is the same already. */
function replacing(line: Line, found: Document | undefined): readonly Line[] {
  if (found === undefined || !('document' in line)) return [line];
  const { id, attributes } = found;
  const { content } = line.document;
  if (textOf(content) === textOf({ ...content, attributes })) return [];
  const gone = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
  const made = { ...content, attributes: { ...gone, ...content.attributes } };
  return [{ ...line, document: { ...line.document, content: made }, replaces: id }];
}

/**
 * Stores the line of an application. Its type of keys is registered before, as it is the first of every application: if
 * not, the data of another type would count as lost.
 */
async function makeApplication(
  context: RequestContext,
  batch: ImportBatch<Content>,
): Promise<Outcome<ImportResult>> {
  const applications = collectionOf(context, CORE.application);
  const trial = await applications.importLines({ ...batch, stores: false });
  if (!batch.stores || !trial.ok || trial.value.ok || trial.value.refused.length > 0) return trial;
  const application = applicationId(context.parameters.id);
  const keys = collectionOf({ ...context, application }, CORE.apiKey);
  const made = await keys.importLines({ ...batch, lines: [] });
  return made.ok ? applications.importLines(batch) : made;
}

function linesOf(body: string): readonly string[] {
  const lines = body.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** How lines are to be taken, the position of the first of them, and what is wrong with the line that says so. */
function readManner(first: string | undefined) {
  const usual: Manner = { expected: new Set(), checked: true };
  if (first?.startsWith('{"import":') !== true) return { manner: usual, first: 0, problems: [] };
  const parsed = parseJson(first, LIMITS.jsonDepth);
  const line: ParsedObject = parsed.ok && isParsedObject(parsed.value) ? parsed.value : {};
  const { import: sent, ...beside } = line;
  const said: ParsedObject = isParsedObject(sent) ? sent : { sent: null };
  const { expects = [], unchecked = false, ...strange } = said;
  const isManner =
    isList(expects) &&
    expects.every((each) => typeof each === 'string') &&
    typeof unchecked === 'boolean' &&
    Object.keys({ ...strange, ...beside }).length === 0;
  if (!isManner) {
    const detail =
      'The first line says {"import": {"expects": ["<type> <id>"], "unchecked": false}}, or less of it.';
    return { manner: usual, first: 1, problems: [problem('invalid-body', detail, { pointer: '/import' })] };
  }
  return { manner: { expected: new Set(expects), checked: !unchecked }, first: 1, problems: [] };
}

function strange(at: number): RefusedLine {
  return {
    at,
    problems: fail('id-conflict', 'This is another application.', { pointer: '/id' }).problems,
  };
}

/** The lines with links to documents that neither are there, nor were, nor come. */
async function faultsOfLinks(
  context: RequestContext,
  read: readonly Line[],
  expected: ReadonlySet<string>,
): Promise<readonly RefusedLine[]> {
  const { type } = context.parameters;
  const own = new Set(
    read.flatMap((line) =>
      'document' in line ? line.document.id : 'deletion' in line ? line.deletion.id : [],
    ),
  );
  const links = read.flatMap((line) =>
    'document' in line ? linksIn(line.document.content.relationships, placeOf(line.at)) : [],
  );
  const checked = links.filter(
    (link) => !(link.type === type && own.has(link.id)) && !expected.has(keyOf(link)),
  );
  const problems = await checkLinks(context, type, checked, { whole: '', most: Infinity, everHad: true });
  return Array.from(Map.groupBy(problems, lineIn), ([at, ofLine]): RefusedLine => ({
    at,
    problems: ofLine.map(withoutLine),
  }));
}

/** The line that a problem's place begins with; the first for what concerns all. */
function lineIn(problem: Problem): number {
  return Number(/^\/(\d+)/.exec(pointerIn(problem))?.[1] ?? 0);
}

function withoutLine(problem: Problem): Problem {
  return { ...problem, source: { pointer: pointerIn(problem).replace(/^\/\d+/, '') } };
}

/** The problems of lines in their order, each with the number of its line, from 1, and the code it has elsewhere. */
function problemsOf(refused: readonly RefusedLine[]): readonly Problem[] {
  return refused
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, problems }) =>
      problems.slice(0, TOLD_OF_LINE).map((each) => {
        const { code, detail, source, meta } = ofLine(each);
        return problem('line-refused', `${PROBLEMS[code][1]}: ${detail}`, source, {
          ...meta,
          line: at + 1,
          code,
        });
      }),
    );
}

function tooManyLines(type: string): Outcome<never> {
  const most = isWrittenAlone(type) ? 'one line' : `${LIMITS.importLines} lines`;
  return fail('list-too-large', `A request brings at most ${most} of type ${type}.`);
}
