// Unit and property tests run in Node; HTTP tests talk to a real workerd that the global set-up starts.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Unit tests load modules that name it; whatever calls it runs in workerd.
  resolve: { alias: { 'cloudflare:workers': new URL('support/workers.ts', import.meta.url).pathname } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checked-fetch.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
