/** Rules in permissions: the documents and fields of a permission, beside its path. Read once, bound per request. */
import { linkOf } from '../domain/documents.ts';
import { LIMITS } from '../domain/limits.ts';
import { strangersIn, type Detail } from '../domain/names.ts';
import { inside, pointerOf, within, type Place } from '../domain/pointer.ts';
import { meet, type Named, type Rule } from '../domain/rules.ts';
import { CORE } from '../domain/types.ts';
import { textOfParsed, type Parsed } from '../domain/values/json.ts';
import { isList, memberOf } from '../domain/values/tree.ts';
import { isFields, type Fields, type Value } from '../domain/values/values.ts';
import { bindRule, bothRules, readRule, together, type RuleCondition } from '../operators/filter/rule.ts';
import {
  readExpression,
  SettingsReading,
  type SettingsExpression,
} from '../operators/settings/expression.ts';
import type { Holder } from './holder.ts';

/** The rule of a permission before anybody asks. */
export interface PermissionRule {
  /** Of the permission. */
  readonly place: Place;
  readonly where: RuleCondition | null;
  readonly check: RuleCondition | null;
  /** What `check` says by `$expr`. */
  readonly expressed: KeyExpression | null;
  readonly read: readonly string[] | null;
  readonly write: readonly string[] | null;
}

interface KeyExpression {
  readonly text: string;
  readonly expression: SettingsExpression;
}

/** The members of a permission that are rules. */
export const RULE_MEMBERS = ['where', 'check', 'fields'] as const;

export function membersOf({ where, check, read, write }: PermissionRule): readonly string[] {
  const has = { where: where !== null, check: check !== null, fields: read !== null || write !== null };
  return RULE_MEMBERS.filter((name) => has[name]);
}

/** Those that hold filters, and are stored as the JSON text of these: in a filter a `$` name is no wrapper. */
export const RULE_FILTERS: ReadonlySet<string> = new Set(['where', 'check']);

/** Whether somebody's identity matters to a rule. */
function namesViewer(rule: PermissionRule | null): boolean {
  if (rule === null) return false;
  const { where, check, expressed } = rule;
  return [where, check].some((each) => each?.namesViewer) || expressed?.text.includes('$$viewer') === true;
}

/** Whether a permission asks who the user is. */
export function isOfViewer({
  acl,
  rule,
}: {
  readonly acl: unknown;
  readonly rule: PermissionRule | null;
}): boolean {
  return acl !== null || namesViewer(rule);
}

/** Reads the rules of a key's permissions, with the bounds that hold over all of them. */
export class RuleReading {
  readonly #fault: (place: Place, detail: Detail) => void;
  #bytes = 0;

  constructor(fault: (place: Place, detail: Detail) => void) {
    this.#fault = fault;
  }

  /** The rule of a permission; null without one. A fault yields none, and the key is refused. */
  read(permission: Fields, place: Place): PermissionRule | null {
    if (!RULE_MEMBERS.some((name) => memberOf(permission, name) !== undefined)) return null;
    const fields = this.#fields(memberOf(permission, 'fields'), inside(place, 'fields'));
    let expressed: KeyExpression | null = null;
    const at = inside(place, 'check');
    const express = (sent: Parsed) => {
      const reading = new SettingsReading(this.#fault, null);
      const text = textOfParsed(sent);
      expressed = { text, expression: readExpression(reading.open(text), inside(at, '$expr'), reading) };
    };
    return {
      place,
      where: this.#condition(memberOf(permission, 'where'), inside(place, 'where')),
      check: this.#condition(memberOf(permission, 'check'), at, express),
      expressed,
      ...fields,
    };
  }

  #condition(text: Value | undefined, place: Place, express?: (sent: Parsed) => void): RuleCondition | null {
    if (text === undefined) return null;
    if (typeof text !== 'string') {
      this.#fault(place, 'A rule must be a filter: a JSON object, as filter[*] takes it.');
      return null;
    }
    this.#bytes += text.length;
    if (this.#bytes > LIMITS.permissionRules) {
      this.#fault(place, `The rules of a key may hold ${LIMITS.permissionRules} bytes together.`);
      return null;
    }
    return readRule(
      text,
      (at, detail) => {
        this.#fault(within(place, at), detail);
      },
      express,
    );
  }

  #fields(value: Value | undefined, place: Place): Pick<PermissionRule, 'read' | 'write'> {
    if (value === undefined) return { read: null, write: null };
    if (!isFields(value)) {
      this.#fault(place, 'The fields must be an object with read, write or both.');
      return { read: null, write: null };
    }
    for (const [name, detail] of strangersIn(value, ['read', 'write']))
      this.#fault(inside(place, name), detail);
    return {
      read: this.#names(memberOf(value, 'read'), inside(place, 'read')),
      write: this.#names(memberOf(value, 'write'), inside(place, 'write')),
    };
  }

  #names(value: Value | undefined, place: Place): readonly string[] | null {
    if (value === undefined) return null;
    const names = isList(value) ? value.filter((each) => typeof each === 'string') : [];
    if (!isList(value) || names.length < value.length || names.length > LIMITS.ruleFields) {
      this.#fault(place, `This must be an array of at most ${LIMITS.ruleFields} names of fields.`);
      return null;
    }
    return [...new Set(names)];
  }
}

/** The rules of one request: each is bound once, so that equal rules are one. */
export class BoundRules {
  readonly #holder: Holder | null;
  /** This and what is filled in are made for the first rule, because most keys have none. */
  #bound: Map<PermissionRule, Rule> | undefined;
  #filling: { readonly named: Named | null; readonly now: Date } | undefined;

  constructor(holder: Holder | null) {
    this.#holder = holder;
  }

  bind(rule: PermissionRule | null): Rule | null {
    if (rule === null) return null;
    const bound = (this.#bound ??= new Map<PermissionRule, Rule>());
    const known = bound.get(rule);
    if (known !== undefined) return known;
    const { where, check, expressed, read, write, place } = rule;
    const within = `/permissions${pointerOf(place)}/check`;
    const { named, now } = (this.#filling ??= { named: namedBy(this.#holder), now: new Date() });
    const made = {
      where: where && together(bindRule(where, named, now)),
      check:
        check &&
        bindRule(check, named, now).map((each) => ({
          ...each,
          at: `${within}${each.at}`,
        })),
      ...(expressed !== null && { expressed: [{ at: within, text: expressed.text }] }),
      read,
      write,
      ...(where?.namesTime === true && { timed: true as const }),
      ...([where, check].some((each) => each?.asksLinked) && { follows: true as const }),
    };
    bound.set(rule, made);
    return made;
  }
}

/** Whose identity rules may name, of a request's user. */
export function namedBy(holder: Holder | null): Named | null {
  return (
    holder && {
      user: holder.token.holder,
      groups: holder.identities.flatMap((identity) => {
        const { type, id } = linkOf(identity);
        return type === CORE.userGroup ? id : [];
      }),
    }
  );
}

/** The rule where two permissions are asked. */
export function strictest(one: Rule | null, other: Rule | null): Rule | null {
  return one === other ? one : meet(one, other, bothRules);
}
