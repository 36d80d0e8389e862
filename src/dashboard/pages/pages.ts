/** The pages, in the order of the menu. Each is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icons.tsx';
import type { PageProps } from '../route.ts';

/** What a page needs: an application in which it may read a list; the operator; or the operator in an application. */
export type Needs = `/${string}` | 'operator' | 'both';

export interface Entry {
  /** The first step of its route. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly needs: Needs;
  readonly section: string;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

type Row = readonly [Entry['name'], Entry['title'], IconName, Needs, Entry['load']];

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
    ['users', 'Users', 'user', '/users/core.user', () => import('./users/page.tsx')],
    ['groups', 'Groups', 'group', '/users/core.user-group', () => import('./groups/page.tsx')],
    ['mailbox', 'Mailbox', 'mail', '/users/core.mail', () => import('./mailbox/page.tsx')],
    ['templates', 'Mail templates', 'pen', '/users/core.mail-template', () => import('./templates/page.tsx')],
  ],
  Rules: [
    ['keys', 'API keys', 'key', '/api-keys/core.api-key', () => import('./keys/page.tsx')],
    ['schemas', 'Schemas', 'schema', '/schemas/core.schema', () => import('./schemas/page.tsx')],
  ],
  Operations: [
    ['usage', 'Usage', 'gauge', 'both', () => import('./usage/page.tsx')],
    ['plan', 'Search plans', 'search', 'both', () => import('./plan/page.tsx')],
    ['webhooks', 'Webhooks', 'webhook', '/webhooks/core.webhook', () => import('./webhooks/page.tsx')],
    ['audit', 'Audit trail', 'audit', '/audit/core.audit-entry', () => import('./audit/page.tsx')],
    ['transfer', 'Export and import', 'transfer', 'both', () => import('./transfer/page.tsx')],
  ],
  Service: [
    ['applications', 'Applications', 'bulk', 'operator', () => import('./applications/page.tsx')],
    ['requests', 'Requests', 'live', 'operator', () => import('./requests/page.tsx')],
  ],
};

export const PAGES: readonly Entry[] = Object.entries(SECTIONS).flatMap(([section, rows]) =>
  rows.map(([name, title, icon, needs, load]) => ({ name, title, icon, needs, section, load })),
);
