/** The pages, in the order of the menu. Each is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icons.tsx';
import type { PageProps } from '../route.ts';
import type * as Others from './others.ts';

/** What a page needs: an application in which it may read a list; the operator; or the operator in an application. */
export type Needs = `/${string}` | 'operator' | 'both';

export interface PageEntry {
  /** The first step of its route. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly needs: Needs;
  readonly section: string;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

type Row = readonly [PageEntry['name'], PageEntry['title'], IconName, Needs, PageEntry['load']];

const other = (name: keyof typeof Others) => async () => ({ default: (await import('./others.ts'))[name] });

const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  Data: [
    ['overview', 'Overview', 'home', '/resources', () => import('./overview/page.tsx')],
    ['documents', 'Documents', 'documents', '/resources', () => import('./documents/page.tsx')],
    ['files', 'Files', 'file', '/files/core.file', () => import('./files/page.tsx')],
    [
      'aggregates',
      'Aggregates',
      'aggregate',
      '/aggregates/core.aggregate',
      () => import('./aggregates/page.tsx'),
    ],
  ],
  People: [
    ['users', 'Users', 'user', '/users/core.user', other('users')],
    ['groups', 'Groups', 'group', '/users/core.user-group', other('groups')],
    ['accounts', 'Accounts', 'check', '/users/core.account-settings', other('accounts')],
    ['providers', 'Identity providers', 'leave', '/users/core.identity-provider', other('providers')],
    ['mailbox', 'Mailbox', 'mail', '/users/core.mail', other('mailbox')],
    ['templates', 'Mail templates', 'pen', '/users/core.mail-template', other('templates')],
  ],
  Rules: [
    ['keys', 'API keys', 'key', '/api-keys/core.api-key', () => import('./keys/page.tsx')],
    ['schemas', 'Schemas', 'schema', '/schemas/core.schema', () => import('./schemas/page.tsx')],
  ],
  Operations: [
    ['usage', 'Usage', 'gauge', 'both', other('usage')],
    ['plan', 'Search plans', 'search', 'both', other('plan')],
    ['webhooks', 'Webhooks', 'webhook', '/webhooks/core.webhook', other('webhooks')],
    ['audit', 'Audit trail', 'audit', '/audit/core.audit-entry', other('audit')],
    ['transfer', 'Export and import', 'transfer', 'both', other('transfer')],
  ],
  Service: [
    ['applications', 'Applications', 'bulk', 'operator', other('applications')],
    ['requests', 'Requests', 'live', 'operator', other('requests')],
  ],
};

export const PAGES: readonly PageEntry[] = Object.entries(SECTIONS).flatMap(([section, rows]) =>
  rows.map(([name, title, icon, needs, load]) => ({ name, title, icon, needs, section, load })),
);
