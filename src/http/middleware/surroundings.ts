/**
 * The surroundings of a request: its id, how a reply becomes its response, its address, and the settings of the service.
 * One middleware for all: each one more costs every request two promises.
 */
import { createMiddleware } from 'hono/factory';
import { readSettings, settingsOf } from '../../domain/settings.ts';
import { arrivalOf } from '../arrival.ts';
import type { Types } from '../types.ts';
import { setRenderer } from './answers.ts';
import { requestIdOf } from './request-id.ts';

/** The settings for the answer that reports a wrong setting. */
const DEFAULTS = readSettings({});

/** With a wrong setting nothing is served: this throws, and the log names the setting. */
export const surroundings = createMiddleware<Types>((c, next) => {
  c.set('requestId', requestIdOf(c));
  setRenderer(c);
  c.set('arrival', arrivalOf(c.req.url));
  c.set('settings', DEFAULTS);
  c.set('settings', settingsOf(c.env));
  return next();
});
