/** What all else goes by: the address of the request, and the settings of the service. */
import { createMiddleware } from 'hono/factory';
import { readSettings, settingsOf } from '../../domain/settings.ts';
import { arrivalOf } from '../arrival.ts';
import type { Types } from '../types.ts';

/** What holds for the answer that says that a setting is wrong. */
const DEFAULTS = readSettings({});

/** Where a setting is wrong nothing is served: it throws, and the log says which. */
export const surroundings = createMiddleware<Types>((c, next) => {
  c.set('arrival', arrivalOf(c.req.url));
  c.set('settings', DEFAULTS);
  c.set('settings', settingsOf(c.env));
  return next();
});
