/** What a cron trigger starts: the backups of all applications that are due. Each makes a line of the log. */
import type { Environment } from '../collection/rpc/environment.ts';
import { backUpAll, type Told } from '../modules/applications/backups/run.ts';
import { writeFault } from './log.ts';

export async function scheduled(_: ScheduledController, environment: Environment): Promise<void> {
  // The run as a whole has failed where the platform is told so: it shows that.
  await backUpAll(environment, tell);
}

function tell({ application, step }: Told): void {
  if (step.state === 'failed') writeFault(`backup of ${application}`, step.error);
  else console.log(JSON.stringify({ backup: application, ...step }));
}
