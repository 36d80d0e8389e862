// `npm run test:long`: all tests, in their long form (test/support/long.ts).
import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

export default mergeConfig(config, { test: { env: { TEST_LONG: 'dashboard store whole' } } });
