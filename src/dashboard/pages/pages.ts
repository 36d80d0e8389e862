/** The pages, in the order of the menu. Each is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icons.tsx';
import type { PageProps } from '../route.ts';

/** Whom a page is for: those who have entered an application, the operator, or the operator in an application. */
export type Needs = 'application' | 'operator' | 'both';

export interface Entry {
  /** The first step of its route. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly needs: Needs;
  /** The list that it shows first: without it, it shows nothing. */
  readonly reads?: string;
  readonly section: 'Data' | 'People' | 'Rules' | 'Operations' | 'Service';
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

export const PAGES: readonly Entry[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'home',
    needs: 'application',
    reads: '/resources',
    section: 'Data',
    load: () => import('./overview/page.tsx'),
  },
  {
    name: 'documents',
    title: 'Documents',
    icon: 'documents',
    needs: 'application',
    reads: '/resources',
    section: 'Data',
    load: () => import('./documents/page.tsx'),
  },
  {
    name: 'files',
    title: 'Files',
    icon: 'file',
    needs: 'application',
    reads: '/files/core.file',
    section: 'Data',
    load: () => import('./files/page.tsx'),
  },
  {
    name: 'aggregates',
    title: 'Aggregates',
    icon: 'aggregate',
    needs: 'application',
    reads: '/aggregates/core.aggregate',
    section: 'Data',
    load: () => import('./aggregates/page.tsx'),
  },
  {
    name: 'users',
    title: 'Users',
    icon: 'user',
    needs: 'application',
    reads: '/users/core.user',
    section: 'People',
    load: () => import('./users/page.tsx'),
  },
  {
    name: 'groups',
    title: 'Groups',
    icon: 'group',
    needs: 'application',
    reads: '/users/core.user-group',
    section: 'People',
    load: () => import('./groups/page.tsx'),
  },
  {
    name: 'mailbox',
    title: 'Mailbox',
    icon: 'mail',
    needs: 'application',
    reads: '/users/core.mail',
    section: 'People',
    load: () => import('./mailbox/page.tsx'),
  },
  {
    name: 'keys',
    title: 'API keys',
    icon: 'key',
    needs: 'application',
    reads: '/api-keys/core.api-key',
    section: 'Rules',
    load: () => import('./keys/page.tsx'),
  },
  {
    name: 'schemas',
    title: 'Schemas',
    icon: 'schema',
    needs: 'application',
    reads: '/schemas/core.schema',
    section: 'Rules',
    load: () => import('./schemas/page.tsx'),
  },
  {
    name: 'usage',
    title: 'Usage',
    icon: 'gauge',
    needs: 'both',
    section: 'Operations',
    load: () => import('./usage/page.tsx'),
  },
  {
    name: 'plan',
    title: 'Search plans',
    icon: 'search',
    needs: 'both',
    section: 'Operations',
    load: () => import('./plan/page.tsx'),
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    icon: 'webhook',
    needs: 'application',
    reads: '/webhooks/core.webhook',
    section: 'Operations',
    load: () => import('./webhooks/page.tsx'),
  },
  {
    name: 'audit',
    title: 'Audit trail',
    icon: 'audit',
    needs: 'application',
    reads: '/audit/core.audit-entry',
    section: 'Operations',
    load: () => import('./audit/page.tsx'),
  },
  {
    name: 'transfer',
    title: 'Export and import',
    icon: 'transfer',
    needs: 'both',
    section: 'Operations',
    load: () => import('./transfer/page.tsx'),
  },
  {
    name: 'applications',
    title: 'Applications',
    icon: 'bulk',
    needs: 'operator',
    section: 'Service',
    load: () => import('./applications/page.tsx'),
  },
  {
    name: 'requests',
    title: 'Requests',
    icon: 'live',
    needs: 'operator',
    section: 'Service',
    load: () => import('./requests/page.tsx'),
  },
];
