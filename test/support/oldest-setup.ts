/** The service of all tests on the oldest runtime that the project promises (docs/contributing.md). */
import type { TestProject } from 'vitest/node';
import { setUp } from './global-setup.ts';
import { OLDEST } from './oldest.ts';

export default (project: TestProject) => setUp(project, { workerd: OLDEST });
