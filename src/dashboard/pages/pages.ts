/** The pages, in the order of the menu. Each is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icons.tsx';

/** What a page is given: the steps of the route behind its own. */
export interface PageProps {
  readonly steps: readonly string[];
}

interface Entry {
  /** The first step of its route. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** Whom it is for: those who have entered an application, or the operator. */
  readonly needs: 'application' | 'operator';
  readonly section: 'Data' | 'People' | 'Rules' | 'Running' | 'Service';
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

export const PAGES: readonly Entry[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'home',
    needs: 'application',
    section: 'Data',
    load: () => import('./overview/page.tsx'),
  },
];

/** The page that opens first. */
export const FIRST = { application: 'overview', operator: 'applications' } as const;
