/**
 * Rules of permissions in front of one collection, and whether its documents meet them: exactly as a filter of the same
 * text would find. On their way what they say of types is settled, and secrets stay out of them.
 */
import { decodeFields, decodeText, encodeText } from '../../domain/values/codec.ts';
import { WORK } from '../../domain/limits.ts';
import { keepWarm } from '../../domain/caching/keep-warm.ts';
import { recall } from '../../domain/caching/recall.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { valuesOfAuditFields } from '../../domain/audit-fields.ts';
import { stepOf } from '../../domain/pointer.ts';
import { pointerIn, type Problem } from '../../domain/problems.ts';
import { shows, type RuleCheck, type Principal, type Rule } from '../../domain/rules.ts';
import { secretFields } from '../../domain/secrets.ts';
import { isList } from '../../domain/values/tree.ts';
import { ObjectId } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { guarded, type Condition } from '../../operators/filter/conditions.ts';
import { withoutFields } from '../../operators/filter/hidden.ts';
import { failClosed } from '../../operators/filter/through.ts';
import { compileMatcher, type Matcher } from '../../operators/filter/matcher.ts';
import { settle } from '../../plan/settle.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import type { Change } from './writes/operations.ts';

/** Rules of this isolate for their types, of at most so many UTF-16 units each. */
const known = new Lru<string, string>(500);
const LONGEST = 4_000;

/** Compiled conditions of this isolate, as long at most. */
const matchers = new Lru<string, Matcher>(500);

/** Rules after linked documents were asked, by the types whose documents they are about. */
const followed = new WeakMap<Rule, Map<string, Rule>>();

/** Notes what a rule says of documents of a type, after linked documents were asked (following.ts). */
export function noteFollowed(rule: Rule, type: string, made: Rule): void {
  recall(followed, rule, () => new Map<string, Rule>()).set(type, made);
}

export function isFollowed(rule: Rule, type: string): boolean {
  return followed.get(rule)?.has(type) === true;
}

/** The rule as it is for documents of a type. */
export function settleRule(rule: Rule, type: string): Rule {
  const { follows, ...known } = followed.get(rule)?.get(type) ?? rule;
  const { where, check } = known;
  const condition = (text: string) => settled(text, type, follows === true);
  return where === null && check === null
    ? known
    : {
        ...known,
        where: where && condition(where),
        check: check && check.map((each) => ({ ...each, condition: condition(each.condition) })),
      };
}

function settled(text: string, type: string, isClosed: boolean): string {
  const key = `${type} ${String(isClosed)} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const written = conditionOfRule(text);
  const condition = isClosed ? failClosed(written) : written;
  const made = encodeText(ofType(condition, type));
  if (key.length <= LONGEST) known.set(key, made);
  return made;
}

/** A condition as it is for documents of a type, without what is secret. */
function ofType(condition: Condition, type: string): Condition {
  return settle(withoutFields(condition, { hidden: secretFields(type), only: null }), type);
}

/** A document as rules look at it. */
type Judged = Pick<StoredDocument, 'id' | 'body' | 'auditFields'>;

/**
 * What the rules of one request say of documents. Each condition is compiled once, and the patterns of all share
 * one budget: what takes too much work to tell is not met, because a rule shows and lets pass what is sure.
 */
export class Policy {
  readonly #budget = new WorkBudget(WORK.patterns);
  readonly #matchers = new Map<string, (document: Judged) => boolean>();

  /** Whether a document may be there for a principal, as far as its rule says. */
  maySee(principal: Pick<Principal, 'rule'>, document: Judged): boolean {
    return this.visibilityOf(principal)?.(document) ?? true;
  }

  /** The same of many documents; null where the rule hides nothing. */
  visibilityOf({ rule }: Pick<Principal, 'rule'>): ((document: Judged) => boolean) | null {
    return rule === null || rule.where === null ? null : this.#matcherOf(rule.where);
  }

  /** What of the rule keeps a write from leaving a document as it is. */
  violated(rule: Rule | null, document: Judged): readonly RuleCheck[] {
    return rule?.check?.filter(({ condition }) => !this.#matcherOf(condition)(document)) ?? [];
  }

  /** Whether a document meets a condition that was made for it alone. */
  meets(condition: Condition, type: string, document: Judged): boolean {
    return this.#judge(compileMatcher(ofType(condition, type), { budget: this.#budget }), document);
  }

  /** A condition with a pattern counts the work of its own request, so that it is compiled for each. */
  #compiled(text: string): Matcher {
    const compile = () => compileMatcher(conditionOfRule(text), { budget: this.#budget });
    return text.length > LONGEST || text.includes('"pattern":') ? compile() : recall(matchers, text, compile);
  }

  #matcherOf(text: string): (document: Judged) => boolean {
    return recall(this.#matchers, text, () => {
      const matches = this.#compiled(text);
      return (document) => this.#judge(matches, document);
    });
  }

  #judge(matches: Matcher, { id, body, auditFields }: Judged): boolean {
    const known = auditFields === undefined ? {} : valuesOfAuditFields(auditFields);
    const met = matches({ id: new ObjectId(id), ...known, ...decodeFields(body) });
    return met && !this.#budget.exceeded;
  }
}

keepWarm(new Policy());

/** What a principal is shown, by a judge of its own; null where no rule hides anything: then none is made. */
export function visibilityOf(principal: Pick<Principal, 'rule'>): ((document: Judged) => boolean) | null {
  return principal.rule === null ? null : new Policy().visibilityOf(principal);
}

/** Whether problems of a change are about fields that the rule shows: what others hold is not told. */
export function disclosesOnlySeen(problems: readonly Problem[], rule: Rule | null, change?: Change): boolean {
  if (rule === null || rule.read === null) return true;
  return problems.every((each) => {
    const names = fieldsOf(each, change);
    return names.length > 0 && names.every((name) => shows(rule, name));
  });
}

/** The fields that a problem tells of: several, where values are unique together. */
function fieldsOf(each: Problem, change: Change | undefined): readonly string[] {
  const together = each.meta?.['paths'];
  if (isList(together)) return together.map((path) => path.split('.')[0] ?? '');
  return [fieldOf(each) ?? (change && targetOf(each, change)) ?? []].flat();
}

/** The field that the pointer of a problem is in: of the content, or of the path of an operator. */
function fieldOf(problem: Problem): string | undefined {
  const [, name, path] =
    /^\/data\/(?:(?:attributes|relationships)\/([^/]+)|meta\/update\/[^/]+\/([^/.]+))/.exec(
      pointerIn(problem),
    ) ?? [];
  const found = name ?? path;
  return found && stepOf(found);
}

/** The field of a problem with what a change of links is to change. */
function targetOf({ code }: Problem, change: Change): string | undefined {
  const isOfTarget = code === 'field-conflict' || code === 'relationship-not-found';
  return isOfTarget && change.kind !== 'merge' ? change.name : undefined;
}

/** A condition under a rule: both must hold. To be planned as one, so that indexes serve either. */
export function underRule(condition: Condition, rule: Rule | null): Condition {
  if (rule === null || rule.where === null) return condition;
  return guarded(condition, conditionOfRule(rule.where));
}

/** A condition of a rule, of its stored encoding. */
export function conditionOfRule(text: string): Condition {
  return decodeText(text) as unknown as Condition;
}
