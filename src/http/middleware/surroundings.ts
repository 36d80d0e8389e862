/** The surroundings of a request: its id, how a reply becomes its response, its address, and the settings of the service. */
import type { Context } from 'hono';
import { RequestMemory } from '../../domain/work/memory.ts';
import { readSettings, settingsOf } from '../../domain/environment/settings.ts';
import { arrivalOf } from '../arrival.ts';
import type { Types } from '../types.ts';
import { setRenderer } from './answers.ts';
import { requestIdOf } from './request-id.ts';

/** The settings for the answer that reports a wrong setting. */
const DEFAULTS = readSettings({});

/** With a wrong setting nothing is served: this throws, after all is set that the answer and the log need. */
export function surround(c: Context<Types>): void {
  const surroundings = {
    requestId: requestIdOf(c),
    started: Date.now(),
    trace: {},
    arrival: arrivalOf(c.req.url),
    settings: DEFAULTS,
    memory: new RequestMemory(),
  };
  c.set('surroundings', surroundings);
  setRenderer(c);
  surroundings.settings = settingsOf(c.env);
}
