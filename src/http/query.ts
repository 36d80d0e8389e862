/**
 * The query string, read once and strictly: an unknown parameter is an error, never ignored (decisions, section 1).
 * Only commas separate lists (JSON:API): blanks beside them are parts of names.
 */
import { textOfQuery } from '../domain/addresses/query.ts';
import { parseDate } from '../domain/values/dates.ts';
import { Lru } from '../domain/caching/lru.ts';
import { LIMITS } from '../domain/limits.ts';
import { shownName, unknownName } from '../domain/names.ts';
import { failed, ok, problem, type Outcome, type Problem } from '../domain/problems.ts';
import { PAGE_MEMBERS, PARAMETERS, type ParameterFamily } from '../modules/contents/parameters.ts';
import type { RequestPage, Query } from '../modules/endpoint.ts';

type Entry = readonly [name: string, value: string];

/**
 * Queries of this isolate by their texts, of at most so many UTF-16 units each: the same few lists are asked for often.
 */
const known = new Lru<string, Known>(500);
const LONGEST = 1_000;

/** A query, and the families of the endpoint that has read it: another may read the same text otherwise. */
interface Known {
  readonly families: readonly ParameterFamily[];
  readonly query: Outcome<Query>;
}

/** Reads a query string (with its question mark) for an endpoint that knows these families of parameters. */
export function readQuery(search: string, families: readonly ParameterFamily[]): Outcome<Query> {
  if (search === '') return NOTHING_ASKED;
  const remembered = known.get(search);
  if (remembered?.families === families) return remembered.query;
  const query = readParameters(search, families);
  if (query.ok && search.length <= LONGEST) known.set(search, { families, query });
  return query;
}

function readParameters(search: string, families: readonly ParameterFamily[]): Outcome<Query> {
  const entries = readEntries(search);
  if (entries === undefined)
    return failed(problem('invalid-parameter', 'The query is not percent-encoded UTF-8.'));
  const problems: Problem[] = [];
  const page = new Map<string, string>();
  const fields = new Map<string, ReadonlySet<string>>();
  const filters: { field: string | null; text: string }[] = [];
  const parameters = new Map<string, string>();
  const single = new Map<ParameterFamily, string>();
  const reject = (name: string, detail: string) => {
    problems.push(problem('invalid-parameter', detail, { parameter: name }));
  };

  for (const [name, value] of entries) {
    const [, family = '', member] = /^([a-z]+)(?:\[(.*)\])?$/s.exec(name) ?? [];
    const known = families.find((each) => (PARAMETERS[each].name ?? each) === family);
    switch (known) {
      case 'page':
      case 'size':
        if (member === undefined || !(known === 'page' ? PAGE_MEMBERS.has(member) : member === 'size'))
          problems.push(unknownParameter(name, families));
        else if (page.has(member)) reject(name, 'The parameter is given twice.');
        else if (!isPageValue(member, value)) reject(name, pageRule(member));
        else page.set(member, value);
        break;
      case 'fields':
        if (member === undefined || member === '') problems.push(unknownParameter(name, families));
        else if (hasBrackets(member)) problems.push(nestedParameter(name, 'fields[articles]=title,author'));
        else if (fields.has(member)) reject(name, 'The parameter is given twice.');
        else if (value !== '' && value.split(',').includes(''))
          reject(name, 'Names are separated by one comma each.');
        else fields.set(member, new Set(value.split(',')));
        break;
      case 'filter':
        if (member === undefined) problems.push(unknownParameter(name, families));
        else if (hasBrackets(member)) problems.push(nestedParameter(name, formOfFilter(member)));
        else filters.push({ field: member === '*' ? null : member, text: value });
        break;
      case 'parameters':
        if (member === undefined || member === '') problems.push(unknownParameter(name, families));
        else if (parameters.has(member)) reject(name, 'The parameter is given twice.');
        else parameters.set(member, value);
        break;
      case 'changes':
      case 'now':
        if (member !== 'since') problems.push(unknownParameter(name, families));
        else if (single.has('changes')) reject(name, 'The parameter is given twice.');
        else if (known === 'now' && value !== 'now')
          reject(name, 'A list takes `now`: its feed takes marks.');
        else if (!SEALED.test(value))
          reject(name, 'The mark is one of an answer, or empty for the beginning.');
        else single.set('changes', value);
        break;
      case undefined:
        problems.push(unknownParameter(name, families));
        break;
      default:
        if (member !== undefined) problems.push(unknownParameter(name, families));
        else if (single.has(known)) reject(name, 'The parameter is given twice.');
        else if (SWITCHES.has(known) && value !== 'true') reject(name, 'It is true, or not there.');
        else if (known === 'at' && !(MOMENT.test(value) && parseDate(value)))
          reject(name, 'It is a date and time with an offset, such as 2026-11-20T00:00:00Z.');
        else if (known === 'download' && value !== '') reject(name, 'It has no value.');
        else single.set(known, value);
    }
  }

  const include = readInclude(single.get('include'), reject);
  const style = readPage(page, reject);
  if (problems.length > 0) return failed(...problems.slice(0, 50));
  return ok({
    entries,
    text: textOfQuery(entries),
    unpaged: textOfQuery(entries.filter(([name]) => !name.startsWith('page['))),
    page: style,
    fields,
    include,
    filters,
    sort: single.get('sort') ?? null,
    since: orNull(single.get('changes')),
    parameters,
    at: parseDate(single.get('at') ?? '')?.getTime() ?? null,
    single,
  });
}

/** Parameters that are true where they are there. */
const SWITCHES: ReadonlySet<string> = new Set<ParameterFamily>(['deleted', 'history', 'tokens']);

function unknownParameter(name: string, families: readonly ParameterFamily[]): Problem {
  const names = families.flatMap((family) => PARAMETERS[family].forms);
  const none = names.length === 0 ? ' This endpoint takes none.' : '';
  const detail = unknownName(name, { what: 'parameter', where: 'here', names });
  return problem('unknown-parameter', `${detail}${none}`, { parameter: name });
}

/** No field in brackets has brackets in its name: this is the syntax of another service. */
function hasBrackets(member: string): boolean {
  return /[[\]]/.test(member);
}

function nestedParameter(name: string, form: string): Problem {
  const detail = `A name in brackets holds no brackets, as in ${shownName(name)}. Write ${form}.`;
  return problem('unknown-parameter', detail, { parameter: name });
}

/** The likely meaning of `filter[title][eq]`. */
function formOfFilter(member: string): string {
  const [, field = '', operator = ''] = /^([^[\]]{1,50})\]\[\$?([a-zA-Z]{1,20})$/.exec(member) ?? [];
  return `filter[${field === '' ? 'title' : field}]={"$${operator === '' ? 'eq' : operator}":"…"}`;
}

function isPageValue(member: string, value: string): boolean {
  if (member === 'after') return SEALED.test(value);
  if (member === 'count') return value === 'true' || value === 'false';
  if (!/^[0-9]{1,15}$/.test(value)) return false;
  if (member === 'offset') return true;
  return Number(value) >= 1 && (member === 'number' || Number(value) <= LIMITS.pageSize);
}

function pageRule(member: string): string {
  if (member === 'offset') return 'The offset must be an integer from 0.';
  if (member === 'after') return 'The cursor is one from the links of a page, or empty for the first page.';
  if (member === 'count') return 'Whether matches are counted is true or false.';
  if (member === 'number') return 'The page number must be an integer from 1.';
  return `The size of a page must be an integer from 1 to ${LIMITS.pageSize}.`;
}

/** Of what `parseDate` reads, a date and time of RFC 3339. */
const MOMENT = /T.*(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

/** What the service has sealed, or nothing. */
const SEALED = /^[A-Za-z0-9_-]*$/;

/** A cursor or a mark; an empty one asks for the beginning. */
function orNull(sent: string | undefined): string | null {
  return sent === undefined || sent === '' ? null : sent;
}

/** The members of each style of paging. One request pages in one style (decisions, section 3). */
const STYLES: Readonly<Record<RequestPage['style'], readonly string[]>> = {
  offset: ['offset', 'limit'],
  number: ['number', 'size'],
  cursor: ['after', 'size'],
};

function readPage(
  page: ReadonlyMap<string, string>,
  reject: (name: string, detail: string) => void,
): RequestPage {
  const has = (member: string) => page.has(member);
  const style = has('after') ? 'cursor' : has('number') || has('size') ? 'number' : 'offset';
  const stranger = [...page.keys()].find((member) => member !== 'count' && !STYLES[style].includes(member));
  if (stranger !== undefined) {
    reject(`page[${stranger}]`, `A page by ${STYLES[style].join(' and ')} takes no ${stranger}.`);
  }
  const size = Number(page.get('size') ?? LIMITS.defaultPageSize);
  const counted = page.get('count') !== 'false';
  switch (style) {
    case 'cursor':
      return { style, after: orNull(page.get('after')), size, counted };
    case 'number':
      return { style, number: Number(page.get('number') ?? 1), size, counted };
    case 'offset':
      return {
        style,
        offset: Number(page.get('offset') ?? 0),
        limit: Number(page.get('limit') ?? LIMITS.defaultPageSize),
        counted,
      };
  }
}

/**
 * Paths of relationship names. An empty value asks for no documents, but still for `included` (JSON:API, Inclusion).
 */
function readInclude(
  value: string | undefined,
  reject: (name: string, detail: string) => void,
): Query['include'] {
  if (value === undefined) return null;
  if (value === '') return [];
  const paths = value.split(',').map((path) => path.split('.'));
  if (paths.some((path) => path.includes('')))
    reject('include', 'A path is relationship names separated by dots.');
  if (paths.some((path) => path.length > LIMITS.includeLevels)) {
    reject('include', `A path has at most ${LIMITS.includeLevels} levels.`);
  }
  return paths;
}

function readEntries(search: string): readonly Entry[] | undefined {
  const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  try {
    return search
      .slice(1)
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        return at === -1 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
      });
  } catch {
    return undefined;
  }
}

/** The query of a request without a query string, as of most reads and writes. */
const NOTHING_ASKED = readParameters('?', []);
