/**
 * What the settings of the type (docs/types.md) say of a write, inside its transaction: the checks that must hold. A type
 * without them pays nothing.
 */
import { Lru } from '../../domain/caching/lru.ts';
import { recall } from '../../domain/caching/recall.ts';
import { MEMORY, WORK } from '../../domain/limits.ts';
import type { Requester } from '../../domain/rules.ts';
import { secretFields } from '../../domain/secrets.ts';
import type { TypeName } from '../../domain/types.ts';
import { decodeFields } from '../../domain/values/codec.ts';
import { fieldsOfProvenance } from '../../domain/provenance.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import { ObjectId, type Fields } from '../../domain/values/values.ts';
import { Meter } from '../../operators/core/meter.ts';
import { bindRule } from '../../operators/filter/rule.ts';
import { isTrue } from '../../operators/numbers/kinds.ts';
import { readChecks, type TypeCheck } from '../../operators/settings/checks.ts';
import type { Moment } from '../../operators/settings/expression.ts';
import { settleRule, type Policy } from '../rpc/rules.ts';
import type { SettingsReader } from '../storage/type-settings.ts';

type Judged = Pick<StoredDocument, 'id' | 'body' | 'provenance'>;

/** A write of one document: null before it is created, and after it is deleted. */
export interface Written {
  readonly type: TypeName;
  readonly before: Judged | null;
  readonly after: Judged | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A check that does not hold. */
export interface Violation {
  readonly check: TypeCheck;
  /** The pointer to what does not hold, in the attributes of the settings. */
  readonly at: string;
  /** The fields that it looks at; null for all. */
  readonly fields: ReadonlySet<string> | null;
}

/** Read settings of this isolate. */
const known = new Lru<string, readonly TypeCheck[]>(200);

export class TypeRules {
  readonly #settings: Pick<SettingsReader, 'current'>;
  /** Undefined where no request writes: what the service does by itself, or an operator brings, is not judged. */
  #requester: Requester | null | undefined;
  /** What all writes of one request may take together. */
  #meter: Meter | null = null;

  constructor(settings: Pick<SettingsReader, 'current'>) {
    this.#settings = settings;
  }

  /** Runs the writes of one request. */
  within<T>(requester: Requester | undefined, work: () => T): T {
    this.#requester = requester ?? null;
    this.#meter = null;
    try {
      return work();
    } finally {
      this.#requester = undefined;
      this.#meter = null;
    }
  }

  /** The checks that keep a write from being done. What takes too much work to tell does not hold. */
  violated(policy: Policy, written: Written): readonly Violation[] {
    const text = this.#settings.current?.checks ?? null;
    if (text === null || this.#requester === undefined) return NONE;
    const { before, after, now } = written;
    const event = before === null ? 'create' : after === null ? 'delete' : 'update';
    const checks = recall(known, text, () => readChecks(text, () => undefined));
    const asked = checks.filter(({ on }) => on.includes(event));
    const subject = after ?? before;
    if (asked.length === 0 || subject === null) return NONE;
    const moment = { ...this.#moment(written), now: new Date(now) };
    return asked.flatMap((check) => this.#violations(policy, check, written.type, subject, moment));
  }

  #violations(
    policy: Policy,
    check: TypeCheck,
    type: TypeName,
    subject: Judged,
    moment: Moment,
  ): readonly Violation[] {
    const { filter, expression, at, isClosed } = check;
    if (isClosed) return [{ check, at, fields: NOTHING }];
    const conditions = filter && bindRule(filter, moment.requester?.named ?? null, moment.now);
    const rule = settleRule({ where: null, check: conditions, read: null, write: null }, type);
    const violations = policy.violated(rule, subject).map((each): Violation => {
      const names = filter?.names.flatMap(({ path: [name] }) => name ?? []);
      return { check, at: at + each.at, fields: new Set(names) };
    });
    const met = expression?.evaluate(moment, this.#document());
    if (expression === null || (met?.ok === true && isTrue(met.value))) return violations;
    return [...violations, { check, at: `${at}/$expr`, fields: expression.fields }];
  }

  /** The meter, for one document more. */
  #document(): Meter {
    const meter = (this.#meter ??= new Meter({ work: WORK.updatesOfList, held: MEMORY.pipelineValue }));
    meter.limitTo(WORK.settings);
    meter.rewind(0, 0);
    return meter;
  }

  #moment({ type, before, after }: Written): Omit<Moment, 'now'> {
    return {
      before: before && fieldsOf(type, before),
      after: after && fieldsOf(type, after),
      requester: this.#requester ?? null,
    };
  }
}

const NONE: readonly Violation[] = [];
const NOTHING: ReadonlySet<string> = new Set();

/** A document as expressions see it: as pipelines do, without what is secret. */
function fieldsOf(type: TypeName, { id, body, provenance }: Judged): Fields {
  const fields = decodeFields(body);
  const secrets = secretFields(type);
  const shown =
    secrets.length === 0
      ? fields
      : Object.fromEntries(Object.entries(fields).filter(([name]) => !secrets.includes(name)));
  const own = provenance === undefined ? {} : fieldsOfProvenance(provenance);
  return { id: new ObjectId(id), type, ...own, ...shown };
}
