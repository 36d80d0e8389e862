/** The surroundings of a request: its address, and the settings of the service. */
import { createMiddleware } from 'hono/factory';
import { readSettings, settingsOf } from '../../domain/settings.ts';
import { arrivalOf } from '../arrival.ts';
import type { Types } from '../types.ts';

/** The settings for the answer that reports a wrong setting. */
const DEFAULTS = readSettings({});

/** With a wrong setting nothing is served: this throws, and the log names the setting. */
export const surroundings = createMiddleware<Types>((c, next) => {
  c.set('arrival', arrivalOf(c.req.url));
  c.set('settings', DEFAULTS);
  c.set('settings', settingsOf(c.env));
  return next();
});
