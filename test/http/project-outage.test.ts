/** A push to a server that goes away, or that somebody ends (docs/guides/project.md). */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../scripts/project/changes.ts';
import { push } from '../../scripts/project/push.ts';
import { Remote } from '../../scripts/project/target.ts';
import { pathOf } from '../../src/client/paths.ts';
import { newProject, READ, type TestProject, WHOLE } from '../support/project.ts';

const SOLD = WHOLE['webhooks/sold.json'] as object;

let project: TestProject;
beforeEach(async () => {
  project = await newProject();
});

describe('a server that goes away in a push', () => {
  /** How often each request was asked, and whether the connection is cut then: before the service is asked or after. */
  const asked = new Map<string, number>();
  let isCut: (method: string, times: number, isDone: boolean) => boolean | Promise<boolean>;
  const proxy = createServer((request, response) => {
    const { method = 'GET', url = '' } = request;
    const times = (asked.get(method + url) ?? 0) + 1;
    asked.set(method + url, times);
    const answer = async () => {
      if (await isCut(method, times, false)) return request.socket.destroy();
      const { url: there } = project.client;
      const { host: _, connection: _c, 'content-length': _l, accept = '', ...headers } = request.headers;
      const body = await text(request);
      const reply = await fetch(there + url, {
        method,
        headers: { ...(headers as Record<string, string>), accept: accept.replaceAll(base, there) },
        body: method === 'GET' ? null : body,
      });
      const told = await reply.text();
      if (await isCut(method, times, true)) return request.socket.destroy();
      const named = [...reply.headers].filter(
        ([name]) => !/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name),
      );
      const back = named.map(([name, value]) => [name, value.replaceAll(there, base)] as const);
      return response.writeHead(reply.status, Object.fromEntries(back)).end(told.replaceAll(there, base));
    };
    answer().catch(() => request.socket.destroy());
  });
  let base: string;
  let changes: readonly Change[];
  let remote: Remote;
  beforeEach(async () => {
    asked.clear();
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    base = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
    remote = new Remote('test', base, project.client.application, project.client.key, null);
    project.writeAll({ ...WHOLE, 'webhooks/sold.json': { ...SOLD, active: false } });
    await project.push();
    project.writeAll({
      'webhooks/sold.json': SOLD,
      'keys/other.json': { name: 'other', permissions: [READ] },
    });
    project.remove('types/notes.json');
    changes = await project.changes(true);
    expect(changes.map(({ action }) => action)).toEqual(['create', 'update', 'delete', 'delete']);
  });
  afterEach(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });

  test.each([
    ['before it has done what it was asked', false],
    ['after that', true],
  ])('%s, and comes back: all is done, and nothing twice', async (_, when) => {
    // More often than the client itself asks again.
    isCut = (method, times, isDone) =>
      method !== 'GET' && isDone === when && times <= (method === 'POST' ? 5 : 2);
    await push(remote, changes);
    expect(await project.diff(true)).toEqual([]);
    expect((await project.client.get('/api-keys/core.api-key')).body.meta.count).toBe(3);
  });

  test('and what it was to change is deleted meanwhile: that is told', async () => {
    const sold = changes.find(({ action }) => action === 'update')?.stored?.id ?? '';
    isCut = async (method, times, isDone) => {
      const cuts = method === 'PATCH' && isDone && times <= 2;
      if (cuts && times === 2) await project.client.delete(pathOf('core.webhook', sold));
      return cuts;
    };
    await expect(push(remote, changes)).rejects.toThrow(
      /^The webhook sold has changed since it was read\.\nNothing was pushed\.$/,
    );
  });

  test('and groups of accounts, which are links, are looked at', async () => {
    project.writeAll(WHOLE);
    await project.push();
    const groups = (...names: readonly string[]) => {
      project.write('accounts.json', { ...(WHOLE['accounts.json'] as object), groups: names });
    };
    groups('readers', 'writers');
    isCut = (method, times, isDone) => method === 'PATCH' && isDone && times <= 2;
    await push(remote, await project.changes());
    expect(await project.diff()).toEqual([]);
    asked.clear();
    groups('writers');
    const id = await project.idOf('application');
    isCut = async (method, times, isDone) => {
      const cuts = method === 'PATCH' && !isDone && times <= 2;
      if (cuts && times === 2) await project.patch(`/users/core.account-settings/${id}`, { name: 'Theirs' });
      return cuts;
    };
    await expect(push(remote, await project.changes())).rejects.toThrow(
      /^The accounts of the application has changed since it was read\.\nNothing was pushed\.$/,
    );
    expect(await project.diff()).toEqual(['~ accounts of the application: name, groups']);
  });

  test('and whoever pushes ends that: it stops, and is as it was', async () => {
    const before = await project.diff(true);
    const { application, key } = project.client;
    project.write('foredge.json', { targets: { test: { url: base, application } } });
    const script = join(import.meta.dirname, '../../scripts/app.ts');
    const words = [
      'push',
      '--to',
      'test',
      '--prune',
      '--allow',
      'delete,open,narrow',
      '--project',
      project.root,
    ];
    const env = { ...process.env, FOREDGE_KEY_TEST: key };
    isCut = (method, _, isDone) => {
      if (method === 'POST' && isDone) pushing.child.kill('SIGINT');
      return false;
    };
    const pushing = promisify(execFile)(process.execPath, [script, ...words], { env });
    await expect(pushing).rejects.toMatchObject({ code: 1, stderr: 'Stopped.\nNothing was pushed.\n' });
    expect(await project.diff(true)).toEqual(before);
  });

  test('for good: what may be there is told', async () => {
    isCut = (method) => method === 'PATCH' || method === 'DELETE';
    await expect(push(remote, changes, { patience: 0 })).rejects.toThrow(
      new RegExp(
        '^The webhook sold: No answer from .*\nPushed, and not taken back; push again:\n' +
          ' {2}perhaps the webhook sold\n {2}the key other: No answer',
      ),
    );
    await project.push(true);
    expect(await project.diff(true)).toEqual([]);
  });
});
