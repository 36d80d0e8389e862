/** The operator's endpoints for backups, and for going back in time. */
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { CORE } from '../../../domain/types.ts';
import type { Endpoint } from '../../endpoint.ts';
import { rewindApplication } from '../rewind.ts';
import { listBackups, makeBackup, readBackup } from './handlers.ts';

const BACKUPS = `${pathOfType(CORE.application)}/{id}/backups`;

export const BACKUP_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: BACKUPS,
    audience: 'operator',
    summary: 'Lists the backups of an application',
    answers: { 200: 'backups' },
    problems: ['not-configured'],
    handle: listBackups,
  },
  {
    method: 'POST',
    path: BACKUPS,
    audience: 'operator',
    summary: 'Begins a backup of an application, or continues one for some seconds',
    parameters: ['history'],
    answers: { 200: 'backup' },
    problems: ['document-not-found', 'request-in-progress', 'not-configured'],
    handle: makeBackup,
  },
  {
    method: 'GET',
    path: `${BACKUPS}/{name}`,
    audience: 'operator',
    summary: 'Reads a backup: a compressed file of lines of JSON',
    file: 'application/gzip',
    answers: { 200: 'file' },
    problems: ['not-configured'],
    handle: readBackup,
  },
  {
    method: 'POST',
    path: `${pathOfType(CORE.application)}/{id}/history/{name}`,
    audience: 'operator',
    summary: 'Resets an application to a moment of the last 30 days',
    answers: { 200: 'rewound' },
    problems: ['document-not-found', 'history-held'],
    handle: rewindApplication,
  },
];
