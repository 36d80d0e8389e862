// Three projects: what computes (unit, property) has a worker for each of two processors; what talks to the service, a
// real workerd that the set-up starts, has twice as many; what changes whom its process trusts runs beside these, in a
// process of its own. Files share the modules, and the Chromium, of their worker.
import { defineConfig } from 'vitest/config';

const COMPUTING = ['test/{unit,property}/**/*.test.ts'];
/** Miniflare looks once in a process whom the runtime trusts. */
const APART = ['test/http/mail-smtp.test.ts'];

/** Of all projects. */
export const shared = {
  // Unit tests load modules that name it; whatever calls it runs in workerd.
  resolve: { alias: { 'cloudflare:workers': new URL('support/workers.ts', import.meta.url).pathname } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checked-fetch.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A crowded machine is slow: what is waited for is given time.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    isolate: false,
    // Miniflare copies the whole Worker for each certificate that it hands on: a second more for each start.
    env: { NODE_EXTRA_CA_CERTS: '', CA_CERTS_OF_NPM: process.env['NODE_EXTRA_CA_CERTS'] ?? '' },
  },
};

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    projects: [
      { extends: true, test: { name: 'computing', include: COMPUTING } },
      {
        extends: true,
        test: {
          name: 'asking',
          include: ['test/**/*.test.ts'],
          exclude: [...COMPUTING, ...APART],
          sequence: { groupOrder: 1 },
          // They wait for the service, its starts and browsers for half of their time.
          maxWorkers: 4,
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: APART, isolate: true },
      },
    ],
  },
});
