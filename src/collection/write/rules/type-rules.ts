/**
 * What the settings of the type (docs/types.md) say of a write, inside its transaction: the computed fields, and
 * the checks that must hold. A type without them pays nothing.
 */
import { Lru } from '../../../domain/caching/lru.ts';
import { recall } from '../../../domain/caching/recall.ts';
import { flatten, type Content } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { MEMORY, TOLD, WORK } from '../../../domain/limits.ts';
import { failed, ok, problem, type Outcome } from '../../../domain/problems.ts';
import type { Requester, Rule } from '../../../domain/rules.ts';
import type { TypeName } from '../../../domain/types.ts';
import {
  packContent,
  unpackContent,
  type StoredContent,
  type StoredDocument,
} from '../../../domain/values/stored.ts';
import type { Fields, Value } from '../../../domain/values/values.ts';
import { Meter } from '../../../operators/core/meter.ts';
import { decodeCondition } from '../../../operators/filter/encoded.ts';
import { bindRule, type RuleCondition } from '../../../operators/filter/rule.ts';
import { isTrue } from '../../../operators/numbers/kinds.ts';
import { readChecks, readExpressed, type TypeCheck } from '../../../operators/settings/checks.ts';
import type { Moment } from '../../../operators/settings/expression.ts';
import { countersOf } from '../../../operators/settings/count.ts';
import { readSet, type ComputedField } from '../../../operators/settings/set.ts';
import type { Path } from '../../../query/walk.ts';
import { seenChanged } from '../../rpc/refusals.ts';
import { settleRule, type Policy } from '../../rpc/rules.ts';
import type { Readers } from '../../storage/documents/readers.ts';
import { withinSize, givenIn, type GivenField } from '../document/change.ts';
import { COLLISION, EXCESS, notComputed, valueOf } from './computed-value.ts';
import { JUDGED, Looked } from './looked.ts';
import { answeredFor, fieldsOf, linkedFields } from './through-links.ts';
import type { SettingsReader } from '../../storage/type-settings.ts';

type Judged = Pick<StoredDocument, 'id' | 'body' | 'relationships' | 'auditFields'>;

/** A write of one document: null before it is created, and after it is deleted. */
export interface Written {
  readonly type: TypeName;
  readonly before: Judged | null;
  readonly after: Judged | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Violation {
  readonly check: TypeCheck;
  /** The pointer to what does not hold, in the attributes of the settings or the key. */
  readonly at: string;
  /** The fields that it looks at; null for all. */
  readonly fields: ReadonlySet<string> | null;
}

/** A write, before the settings have computed what it leaves. */
export type Computing = Omit<Written, 'after'> & {
  readonly id: DocumentId;
  readonly auditFields: string;
  /** What a change of a document names. */
  readonly sent?: () => readonly GivenField[];
};

/** Read settings of this isolate. */
const knownChecks = new Lru<string, readonly TypeCheck[]>(200);
const knownExpressed = new Lru<string, TypeCheck>(200);
const knownSets = new Lru<string, readonly ComputedField[]>(200);

interface Parts {
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly records: Pick<Readers['records'], 'find'>;
  readonly expiries: Pick<Readers['expiries'], 'has'>;
}

export class TypeRules {
  readonly #tables: Parts;
  /** What the write that runs has looked at. */
  #looked = new Looked();
  /** Undefined where no request writes: what the service does by itself, or an operator brings, is not judged. */
  #requester: Requester | null | undefined;
  /** What all writes of one request may take together. */
  #meter: Meter | null = null;

  constructor(tables: Parts) {
    this.#tables = tables;
  }

  /** Runs a transaction with what its write has looked at. */
  looking<T>(looked: Looked, work: () => T): T {
    this.#looked = looked;
    looked.begin();
    try {
      return work();
    } finally {
      this.#looked = new Looked();
    }
  }

  get looked(): Looked {
    return this.#looked;
  }

  /** Notes what writes of documents will look at; refuses them where that must be asked for first. */
  foresee(
    type: TypeName,
    rules: readonly (Rule | null)[],
    contents: () => readonly StoredContent[],
  ): Outcome<null> {
    const paths = this.#paths([...rules.flatMap(ofKey), ...this.#checks()]);
    if (paths.length === 0) return ok(null);
    for (const each of contents()) this.#linked(type, unpackContent(each), paths);
    return this.#looked.isWanting ? seenChanged() : ok(null);
  }

  /** Begins the writes of one request; undefined ends them. */
  begin(requester: Requester | null | undefined): void {
    this.#requester = requester;
    this.#meter = null;
  }

  /** Who makes the write that runs; undefined where no request does. */
  get requester(): Requester | null | undefined {
    return this.#requester;
  }

  /** Whether documents are stored with more than was sent. */
  get sets(): boolean {
    return this.#text('set') !== null;
  }

  /** The refusal of a write that names fields which the service computes, or counts. */
  admits(given: () => readonly GivenField[]): Outcome<null> {
    const computed = this.#set().flatMap(({ name, unless }) => (unless === null ? name : []));
    const counted = countersOf({ count: this.#text('count') }).map(({ name }) => name);
    const names = new Set([...computed, ...counted]);
    if (names.size === 0) return ok(null);
    const faults = given().filter(([name]) => names.has(name));
    if (faults.length === 0) return ok(null);
    const problems = faults.map(([name, pointer]) =>
      problem('read-only-member', `The settings of the type compute ${name}.`, { pointer }),
    );
    return failed(...problems.slice(0, TOLD.inBody));
  }

  /** A content with the fields that the service computes, one after the other. `isSeen`: what a refusal may tell of. */
  computed(
    content: StoredContent,
    { id, auditFields, sent = () => [], ...write }: Computing,
    isSeen: (name: string) => boolean,
  ): Outcome<StoredContent> {
    const given = write.before === null ? this.admits(() => givenIn(content)) : ok(null);
    if (!given.ok) return given;
    const set = this.#set();
    if (set.length === 0) return ok(content);
    const { attributes, relationships } = unpackContent(content);
    const fields = new Map(Object.entries(attributes));
    const named = write.before === null ? () => givenIn(content) : sent;
    const names = new Set(set.some(({ unless }) => unless === 'sent') ? named().map(([name]) => name) : []);
    const moment = this.#moment({ ...write, after: null }, content);
    const own = fieldsOf(write.type, { id, body: '{}', auditFields });
    const links = flatten({ attributes: {}, relationships });
    // Without a prototype, any name is only a name.
    const after: Record<string, Value> = { __proto__: null, ...own, ...attributes, ...links };
    const meter = this.#document();
    for (const field of set) {
      const { name, unless } = field;
      if (unless === 'given' && (fields.has(name) || Object.hasOwn(relationships, name))) continue;
      if (unless === 'sent' && names.has(name)) continue;
      const made = valueOf(field, { ...moment, after }, meter);
      if (this.#looked.isWanting) return seenChanged();
      if (this.#looked.isExcess) return notComputed(field, EXCESS, isSeen);
      if (!made.ok) return notComputed(field, made.detail, isSeen);
      if (Object.hasOwn(relationships, name)) return notComputed(field, COLLISION, isSeen);
      if (made.value === undefined) {
        fields.delete(name);
        Reflect.deleteProperty(after, name);
      } else {
        fields.set(name, made.value);
        after[name] = made.value;
      }
    }
    return withinSize(packContent({ attributes: Object.fromEntries(fields), relationships }));
  }

  #set(): readonly ComputedField[] {
    const text = this.#text('set');
    return text === null ? NO_FIELDS : recall(knownSets, text, () => readSet(text, () => undefined));
  }

  #text(name: 'checks' | 'set' | 'count'): string | null {
    return this.#requester === undefined ? null : (this.#tables.settings.current?.[name] ?? null);
  }

  #checks(): readonly TypeCheck[] {
    const text = this.#text('checks');
    return text === null ? NO_CHECKS : recall(knownChecks, text, () => readChecks(text, () => undefined));
  }

  /** What the settings look at through links. */
  #paths(checks = this.#checks()): readonly Path[] {
    return [
      ...this.#set().flatMap(({ expression }) => expression?.linked ?? []),
      ...checks.flatMap(({ filter, expression }) => [
        ...(filter?.names.flatMap(({ linked, path }) => (linked === null ? [] : [path])) ?? []),
        ...(expression?.linked ?? []),
      ]),
    ];
  }

  #linked(type: TypeName, content: Pick<Content, 'relationships'>, paths: readonly Path[]): Fields {
    return linkedFields(content, paths, this.#finding(type));
  }

  /** The user's attributes that the settings list, as they are now. */
  #viewer(type: TypeName): Fields {
    const { user } = this.#requester?.named ?? {};
    const found = user === undefined ? null : this.#finding(type)(user);
    if (user === undefined || found === null) return {};
    const listed: readonly string[] = this.#tables.settings.current?.viewer ?? [];
    return Object.fromEntries(
      Object.entries(fieldsOf(user.type, found)).filter(([name]) => listed.includes(name)),
    );
  }

  /** Linked documents of the type itself are as the transaction finds them. */
  #finding(type: TypeName) {
    const { records, expiries } = this.#tables;
    return this.#looked.finding(type, (id) => {
      const found = records.find(id);
      return found === undefined || expiries.has(found) ? null : found;
    });
  }

  /** The checks that keep a write from being done. What takes too much work to tell does not hold. */
  violated(
    policy: Policy,
    rule: Rule | null,
    written: Written,
    ofType = this.#checks(),
  ): readonly Violation[] {
    const checks = [...ofKey(rule), ...ofType];
    const { before, after } = written;
    const event = before === null ? 'create' : after === null ? 'delete' : 'update';
    const due = checks.filter(({ on }) => on.includes(event));
    const subject = after ?? before;
    if (due.length === 0 || subject === null) return [];
    const moment = this.#moment(written, after, checks);
    const meter = this.#document();
    return due.flatMap((check) => {
      const { filter, expression, at, isClosed } = check;
      if (isClosed) return [{ check, at, fields: NOTHING }];
      const met = expression?.evaluate(moment, meter);
      const isKnown = met?.ok === true && !this.#looked.isExcess;
      const isMet = expression === null || (isKnown && isTrue(met.value));
      const own = isMet ? [] : [{ check, at: `${at}/$expr`, fields: expression.fields }];
      return [...(filter === null ? [] : this.#failing(policy, check, filter, subject, written)), ...own];
    });
  }

  #failing(
    policy: Policy,
    check: TypeCheck,
    filter: RuleCondition,
    subject: Judged,
    { type, now }: Written,
  ): readonly Violation[] {
    const fields = new Set(filter.names.flatMap(({ path: [name] }) => name ?? []));
    const conditions = bindRule(filter, this.#requester?.named ?? null, new Date(now));
    let isStuck = false;
    const judging = {
      find: this.#finding(type),
      meets: (...args: Parameters<Policy['meets']>) => this.#looked.takes(JUDGED) && policy.meets(...args),
      stuck: () => {
        isStuck = true;
      },
    };
    const failing = filter.asksLinked
      ? conditions.filter(({ condition }) => {
          const answered = answeredFor(decodeCondition(condition), unpackContent(subject), judging);
          return !policy.meets(answered, type, subject) || isStuck || this.#looked.isExcess;
        })
      : policy.violated(
          settleRule({ where: null, check: conditions, read: null, write: null }, type),
          subject,
        );
    return failing.map((each) => ({ check, at: check.at + each.at, fields }));
  }

  /** The meter, for one document more. */
  #document(): Meter {
    const meter = (this.#meter ??= new Meter({ work: WORK.updatesOfList, held: MEMORY.pipelineValue }));
    meter.limitTo(WORK.settings);
    meter.rewind(0, 0);
    return meter;
  }

  /** `content`: of the document after, before that is computed. */
  #moment(
    { type, before, after, now }: Written,
    content: StoredContent | null = after,
    checks = this.#checks(),
  ): Moment {
    const sides = { before, after: content };
    const linked = new Map<string, Fields>();
    const of = (side: 'before' | 'after') => {
      const each = sides[side];
      return each === null ? {} : this.#linked(type, unpackContent(each), this.#paths(checks));
    };
    return {
      linked: (side) => recall(linked, side, () => of(side)),
      viewer: () => this.#viewer(type),
      before: before && fieldsOf(type, before),
      after: after && fieldsOf(type, after),
      requester: this.#requester ?? null,
      now: new Date(now),
    };
  }
}

/** What the rule of a key says by expressions: of every create and change. */
function ofKey(rule: Rule | null): readonly TypeCheck[] {
  return (
    rule?.expressed?.map(({ at, text }) =>
      recall(knownExpressed, `${at} ${text}`, () => readExpressed(at, text)),
    ) ?? NO_CHECKS
  );
}

const NO_FIELDS: readonly ComputedField[] = [];
const NO_CHECKS: readonly TypeCheck[] = [];
const NOTHING: ReadonlySet<string> = new Set();
