/**
 * The webhooks of the type. The collection of webhooks pushes them here, so each write knows in its own transaction
 * whom to tell, and none that began after a webhook's answer escapes it.
 */
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import type { TypeName } from '../../../domain/types.ts';
import { ObjectId } from '../../../domain/values/values.ts';
import type { WriteEvent } from '../../../domain/webhooks.ts';
import type { WorkBudget } from '../../../domain/work/work.ts';
import { compileMatcher } from '../../../operators/filter/matcher.ts';
import { bindRule, readRule, together, type RuleCondition } from '../../../operators/filter/rule.ts';
import type { PushedDocument } from '../../rpc/contract.ts';
import { flatOf, type StoredDocument } from '../../../domain/values/stored.ts';
import { conditionOfRule, settleRule } from '../../rpc/rules.ts';
import { replacePushed } from './pushed.ts';
import { Table } from '../sql.ts';

export interface Webhook {
  readonly id: DocumentId;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly WriteEvent[];
  /** The JSON of a filter; null for none. */
  readonly filter: string | null;
  readonly active: boolean;
}

/** A webhook with its filter read. */
interface Known {
  readonly webhook: Webhook;
  readonly rule: RuleCondition | null;
}

export class Webhooks extends Table {
  /** Read when first needed. */
  #known: readonly Known[] | null = null;

  /** To be called when there are tables, and after writes were undone. */
  load(): void {
    this.#known = null;
  }

  /** Replaces all webhooks by these, unless newer ones are there. Gives the ids of those that were there, or null. */
  replace(number: number, pushed: readonly PushedDocument[]): readonly DocumentId[] | null {
    const before = this.#all().map(({ webhook }) => webhook.id);
    if (!replacePushed(this.sql, 'webhooks', number, pushed)) return null;
    this.#known = null;
    return before;
  }

  find(id: string): Webhook | undefined {
    return this.#all().find(({ webhook }) => webhook.id === id)?.webhook;
  }

  hearing(event: WriteEvent): readonly Known[] {
    const all = this.#all();
    return all.length === 0
      ? all
      : all.filter(({ webhook: { active, events } }) => active && events.includes(event));
  }

  #all(): readonly Known[] {
    this.#known ??= this.sql
      .exec<{ id: string; content: string }>('SELECT id, content FROM webhooks ORDER BY id')
      .toArray()
      .map(({ id, content }) => {
        // Only this service writes it (write/notify/pushed.ts).
        const webhook = { id: storedId(id), ...(JSON.parse(content) as Omit<Webhook, 'id'>) };
        return { webhook, rule: webhook.filter === null ? null : readRule(webhook.filter, () => undefined) };
      });
    return this.#known;
  }
}

/**
 * Whether a filter holds for a document, which is as a search's filter sees it. What takes too much work to tell counts
 * as met: rather something is told that need not be than the other way round.
 */
export function holdsFor(
  rule: RuleCondition,
  type: TypeName,
  budget: WorkBudget,
): (document: StoredDocument | null) => boolean {
  const asked = together(bindRule(rule, null, new Date()));
  // Nobody follows links here.
  const { where } = settleRule({ where: asked, check: null, read: null, write: null, follows: true }, type);
  if (where === null) return (document) => document !== null;
  const matches = compileMatcher(conditionOfRule(where), { budget, bounded: true });
  return (document) => {
    if (document === null) return false;
    const found = matches({ ...flatOf(document), id: new ObjectId(document.id), type });
    return found || budget.exceeded;
  };
}
