/** parse-server as a process. PACKAGES is the folder that it is installed in, DATABASE the database's address. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface ParseModule {
  readonly ParseServer: {
    readonly startApp: (options: Readonly<Record<string, unknown>>) => Promise<unknown>;
  };
}

const require = createRequire(join(process.env['PACKAGES'] ?? '', 'package.json'));
const { ParseServer } = require('parse-server') as ParseModule;
const port = Number(process.env['PORT']);
const url = `http://127.0.0.1:${port}/parse`;

await ParseServer.startApp({
  databaseURI: process.env['DATABASE'],
  appId: 'bench',
  masterKey: process.env['MASTER_KEY'],
  maintenanceKey: `${process.env['MASTER_KEY'] ?? ''}-maintenance`,
  serverURL: url,
  publicServerURL: url,
  mountPath: '/parse',
  host: '127.0.0.1',
  port,
  silent: true,
  logLevel: 'error',
  allowClientClassCreation: true,
  enforcePrivateUsers: true,
});
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
console.log(`parse-server serves on ${url}.`);
