/** One run of the law of rules: documents, a key with a rule, and who may reach which document. */
import { expect } from 'vitest';
import { defined } from './aggregates.ts';
import type { Client, Link, Reply } from './client.ts';
import { EVERY_METHOD, grant, may, NOBODY } from './people.ts';
import {
  contentOf,
  holds,
  namesViewer,
  type Drafted,
  type Known,
  type Term,
  type Viewer,
} from './rules-model.ts';
import { settle } from './type-settings.ts';

/** How often something was looked at: a law about nothing holds always. */
export type Seen = Record<'shown' | 'hidden' | 'accepted' | 'refused' | 'unchanged', number>;

export interface Setting {
  readonly drafts: readonly Drafted[];
  readonly where: Term;
  readonly check: Term;
  readonly read: readonly string[] | undefined;
  readonly write: readonly string[] | undefined;
  readonly acl: boolean;
}

export class RulesWorld {
  readonly trusted: Client;
  /** The key with the rule. */
  readonly web: Client;
  readonly setting: Setting;
  readonly viewers: readonly (Viewer | null)[];
  readonly team: string;
  readonly type: string;
  readonly hub: Link;
  readonly seen: Seen;
  /** The numbers of those who hold every right on a document, by its id. */
  readonly holders = new Map<string, ReadonlySet<number>>();
  /** The ids that the hub links to. */
  readonly linked = new Set<string>();
  readonly #answers: { readonly path: string; readonly number: number; readonly reply: Reply }[] = [];

  private constructor(
    of: Pick<RulesWorld, 'trusted' | 'web' | 'setting' | 'viewers' | 'team' | 'type' | 'hub' | 'seen'>,
  ) {
    ({
      trusted: this.trusted,
      web: this.web,
      setting: this.setting,
      viewers: this.viewers,
      team: this.team,
      type: this.type,
      hub: this.hub,
      seen: this.seen,
    } = of);
  }

  static async make(
    trusted: Client,
    run: number,
    setting: Setting,
    viewers: readonly (Viewer | null)[],
    team: string,
    seen: Seen,
  ): Promise<RulesWorld> {
    const type = `ruled${run}`;
    const output = `agt.${type}`;
    await settle(trusted, { name: `hub${run}`, inverses: { parts: { type, through: 'hub' } } });
    const { type: hubType, id } = await trusted.make(`hub${run}`);
    const hub = { type: hubType, id };
    await defined(trusted, type, type, [
      { group: { id: '$n', count: { $sum: 1 }, ids: { $push: { $toString: '$id' } } } },
    ]);
    const { where, check, read, write, acl } = setting;
    const rule = { where: where[0], ...(acl && { acl: { active: true } }) };
    const web = await trusted.withPermissions([
      {
        path: `/resources/${type}.*`,
        methods: [...EVERY_METHOD, 'bulk'],
        ...rule,
        check: check[0],
        fields: { ...(read && { read }), ...(write && { write }) },
      },
      may('get', `/aggregates/${output}.*`, { ...rule, fields: { ...(read && { read }) } }),
      may(EVERY_METHOD, '/.*'),
    ]);
    const world = new RulesWorld({ trusted, web, setting, viewers, team, type, hub, seen });
    for (const each of setting.drafts) await world.#add(each);
    const data = (await world.all()).map((made) => ({ type, id: made.id }));
    for (const made of data) world.linked.add(made.id);
    await trusted.patch(`/resources/${hub.type}/${hub.id}/relationships/to`, { data });
    return world;
  }

  async #add(each: Drafted): Promise<void> {
    const { attributes, relationships } = contentOf(each, this.viewers, this.team, this.hub);
    const { id } = await this.trusted.make(this.type, attributes, relationships);
    const links = each.readers.flatMap((reader) => this.viewers[reader]?.person.link ?? []);
    const rights = { read: links, update: links };
    await grant(this.trusted, `/resources/${this.type}/${id}`, { ...rights, delete: links }, rights);
    this.holders.set(id, new Set(each.readers));
  }

  get base(): string {
    return `/resources/${this.type}`;
  }

  /** Whether the key asks who somebody is. */
  get asksWho(): boolean {
    const { acl, where, check } = this.setting;
    return acl || namesViewer(where[0]) || namesViewer(check[0]);
  }

  /** The numbers of viewers whose requests are admitted. */
  get askers(): readonly number[] {
    return this.setting.acl ? [1, 2, 3] : [0, 1, 2, 3];
  }

  headersOf(number: number): Readonly<Record<string, string>> {
    return (this.viewers[number]?.person ?? NOBODY).headers;
  }

  /** All documents as a trusted service sees them, in the order of creation. */
  async all(): Promise<readonly Known[]> {
    const fields = 'n,open,at,owner,team,word,home,by,hub,$creator';
    const { body } = await this.trusted.get(`${this.base}?page[limit]=100&fields[${this.type}]=${fields}`);
    return body.data;
  }

  /** Whether a viewer reaches a document. */
  reaches(number: number, document: Known): boolean {
    const { acl, where } = this.setting;
    if (acl && this.holders.get(document.id)?.has(number) !== true) return false;
    return holds(where, document, this.viewers[number] ?? null);
  }

  /** Whether a document may be left so by a viewer. */
  mayLeave(number: number, document: Known): boolean {
    return holds(this.setting.check, document, this.viewers[number] ?? null);
  }

  /** An answer under the rule; its tag is looked at in the end. */
  async get(path: string, number: number): Promise<Reply> {
    const reply = await this.web.get(path, this.headersOf(number));
    if (reply.status === 200 && reply.etag !== '') this.#answers.push({ path, number, reply });
    return reply;
  }

  /** The law of tags: where nothing has changed for the viewer they may say so, and only there. */
  async checkTags(): Promise<void> {
    const checks = this.#answers.map(async ({ path, number, reply }) => {
      const headers = this.headersOf(number);
      const again = await this.web.get(path, { ...headers, 'if-none-match': reply.etag });
      if (again.status !== 304) return;
      this.seen.unchanged += 1;
      const now = await this.web.get(path, headers);
      // Cursors are texts for a place, which may have others.
      expect([path, now.body.data, now.body.included, now.body.meta]).toEqual([
        path,
        reply.body.data,
        reply.body.included,
        reply.body.meta,
      ]);
    });
    await Promise.all(checks);
  }
}
