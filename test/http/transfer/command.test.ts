/** The operator's commands `export` and `import` (docs/moving.md): files, formats, and what goes wrong on the way. */
import { readFileSync, truncateSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { exportApplication } from '../../../scripts/transfer/export.ts';
import { toFile } from '../../../scripts/transfer/targets.ts';
import { runApp } from '../../support/app.ts';
import { asOperator, Client } from '../../support/client.ts';
import { makeRich } from '../../support/rich-application.ts';
import { exported, firstPage } from '../../support/transfer.ts';
import { newFile, fileOf, service, progress, exportTo, importOf } from '../../support/transfer-files.ts';

const textOfBytes = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const HEAD = '{"foredge":{"export":1}}';
const END = '{"foredge":{"end":0}}';

describe('an export to a file', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('exported');
    await makeRich(client);
  });

  test.each(['all.ndjson', 'all.ndjson.gz'])('named %s comes back whole', async (name) => {
    const file = newFile(name);
    const lines = await exportTo(file, client.application);
    const other = await Client.create('imported');
    const report = await importOf(file, { into: other.application });
    expect(report).toEqual({ stored: lines, unchanged: 0, refused: 0, heldBack: 0, whole: true, told: [] });
    const [one, again] = [newFile('note.ndjson'), newFile('note.ndjson')];
    await exportTo(one, client.application, 'note');
    await exportTo(again, other.application, 'note');
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(one, 'utf8'));
    const bytes = readFileSync(file);
    const text = textOfBytes(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    expect(text.split('\n').slice(0, 2)).toEqual([
      HEAD,
      JSON.stringify({ type: 'core.application', id: client.application, attributes: { name: 'exported' } }),
    ]);
    expect(text.split('\n').slice(-2)).toEqual([`{"foredge":{"end":${lines}}}`, '']);
  });

  test('of an application that is about to end comes back as one that stays', async () => {
    const ending = await Client.create('ending');
    const path = `${inject('url')}/applications/core.application/${ending.application}/deletion`;
    const headers = asOperator();
    expect((await fetch(path, { method: 'POST', headers })).status).toBe(200);
    const file = newFile('ending.ndjson');
    await exportTo(file, ending.application);
    expect(readFileSync(file, 'utf8').split('\n')[1]).toBe(
      JSON.stringify({ type: 'core.application', id: ending.application, attributes: { name: 'ending' } }),
    );
  });

  test('never overwrites a file', async () => {
    const file = fileOf('precious');
    await expect(exportTo(file, client.application)).rejects.toThrow('is there already');
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  test('of an application that there is not is refused', async () => {
    await expect(exportTo(newFile('x'), 'f'.repeat(24))).rejects.toThrow('There is no application');
  });
});

describe('an export that was cut off', () => {
  let client: Client;
  let whole: string;
  beforeAll(async () => {
    client = await Client.create();
    const lines = Array.from({ length: 2300 }, (_, n) =>
      JSON.stringify({ type: 'many', id: n.toString(16).padStart(24, '0'), attributes: { n } }),
    );
    await importOf(fileOf([HEAD, ...lines, END].join('\n')), { into: client.application });
  });

  /** Ends while its third page is written, half of which is in the file. */
  async function cutOff(file: string): Promise<void> {
    const request = { application: client.application, type: 'many' };
    const target = await toFile(file, service.base, request);
    let writes = 0;
    const failing = {
      ...target,
      write: async (text: string) => {
        if ((writes += 1) < 4) return target.write(text);
        await target.write(text.slice(0, text.length / 2));
        throw new Error('power failure');
      },
    };
    await expect(exportApplication(service, request, failing, progress)).rejects.toThrow('power failure');
  }

  const textOf = (file: string) => {
    const bytes = readFileSync(file);
    return textOfBytes(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  };

  test.each(['cut.ndjson', 'cut.ndjson.gz'])('goes on at the same moment in %s', async (name) => {
    const file = newFile(name);
    whole = await exported(client.application, 'many');
    await cutOff(file);
    const id = (2250).toString(16).padStart(24, '0');
    await client.update(`/resources/many/${id}`, { attributes: { name } });
    expect(await exportTo(file, client.application, 'many')).toBe(2300);
    expect(textOf(file)).toBe(`${HEAD}\n${whole}{"foredge":{"end":2300}}\n`);
    await expect(exportTo(file, client.application, 'many')).rejects.toThrow('is there already');
  });

  test('begins the type again when its moment is not kept any more', async () => {
    const file = newFile('late.ndjson');
    await cutOff(file);
    for (let n = 0; n < 4; n += 1) await firstPage(client.application, 'many', 1);
    const id = '0'.repeat(24);
    await client.update(`/resources/many/${id}`, { attributes: { late: true } });
    await exportTo(file, client.application, 'many');
    expect(textOf(file)).toBe(
      `${HEAD}\n${await exported(client.application, 'many')}{"foredge":{"end":2300}}\n`,
    );
  });

  test('is not mistaken for another', async () => {
    const file = newFile('other.ndjson');
    await cutOff(file);
    await expect(exportTo(file, client.application)).rejects.toThrow('a part of another export');
  });
});

describe('an import', () => {
  let client: Client;
  let application: string;
  beforeAll(async () => {
    client = await Client.create();
    ({ application } = client);
  });
  const line = (type: string, n: number, more: object = {}) =>
    JSON.stringify({ type, id: n.toString(16).padStart(24, '0'), ...more });

  test('tells refused lines by their numbers, holds their batch back, and can be run again', async () => {
    const strange = { relationships: { to: { data: { type: 'b', id: 'f'.repeat(24) } } } };
    const lines = [HEAD, line('a', 1), '', line('a', 2, strange), line('b', 3), 'rubbish', END];
    const refused = await importOf(fileOf(lines.join('\n')), { into: application });
    expect(refused).toEqual({
      stored: 1,
      unchanged: 0,
      refused: 2,
      heldBack: 1,
      whole: true,
      told: [
        '6: The line has no type and id.',
        '4: The linked document does not exist: ' +
          `There is no document ${'f'.repeat(24)} of type b. (/relationships/to/data)`,
      ],
    });
    const mended = lines.map((each) =>
      each === 'rubbish' ? '' : each.replace('f'.repeat(24), '3'.padStart(24, '0')),
    );
    expect(await importOf(fileOf(mended.join('\n')), { into: application })).toMatchObject({
      stored: 2,
      unchanged: 1,
      told: [],
    });
  });

  test('unchecked, leaves what has changed since as it is, and stores the others', async () => {
    const lines = [1, 2, 3].map((n) => line('changed', n, { attributes: { n } }));
    const file = fileOf([HEAD, ...lines, END].join('\n'));
    const options = { into: application, checked: false };
    await importOf(file, options);
    const id = (n: number) => n.toString(16).padStart(24, '0');
    await client.update(`/resources/changed/${id(2)}`, { attributes: { n: 9 } });
    await client.delete(`/resources/changed/${id(3)}`);
    const more = [...lines, line('changed', 5, { attributes: { n: 5 } })];
    const report = await importOf(fileOf([HEAD, ...more, END].join('\n')), options);
    expect(report).toMatchObject({ stored: 1, unchanged: 1, refused: 2, heldBack: 0 });
    expect(report.told.map((each) => each.slice(0, 2))).toEqual(['3:', '4:']);
  });

  test('takes links to later lines, of its own and of other types, and around in a circle', async () => {
    const to = (type: string, n: number) => ({
      relationships: { to: { data: { type, id: n.toString(16).padStart(24, '0') } } },
    });
    const lines = [HEAD, line('c', 1, to('d', 2)), line('d', 2, to('c', 3)), line('c', 3, to('c', 1)), END];
    expect((await importOf(fileOf(lines.join('\n')), { into: application })).told).toEqual([]);
  });

  test('passes over what npm writes before the first line, and takes one type alone if it is named', async () => {
    const lines = ['', '> foredge@0.1.0 app', '> node scripts/run.mjs app.ts export x', '', HEAD];
    const file = fileOf([...lines, line('e', 1), line('f', 1), END, ''].join('\r\n'));
    const report = await importOf(file, { into: application, type: 'f' });
    expect(report).toMatchObject({ stored: 1, whole: true, told: [] });
    expect(await exported(application, 'e')).toBe('');
  });

  test('says when its file was cut off', async () => {
    const text = [HEAD, line('g', 1), line('g', 2)].join('\n');
    expect(await importOf(fileOf(text), { into: application })).toMatchObject({ stored: 2, whole: false });
    const file = fileOf(gzipSync(text), 'cut.gz');
    truncateSync(file, 40);
    await expect(importOf(file, { into: application })).rejects.toThrow('The file is cut off');
    await expect(importOf(fileOf('no gzip', 'x.gz'), { into: application })).rejects.toThrow(
      'not compressed',
    );
    const bytes = fileOf(Uint8Array.of(...new TextEncoder().encode(`${HEAD}\n`), 0xff, 0x0a));
    await expect(importOf(bytes, { into: application })).rejects.toThrow('not UTF-8');
  });

  test('takes documents that schemas and links refuse when it is told so', async () => {
    const strange = { relationships: { to: { data: { type: 'b', id: 'f'.repeat(24) } } } };
    const file = fileOf([HEAD, line('h', 1, strange), END].join('\n'));
    expect((await importOf(file, { into: application, checked: false })).stored).toBe(1);
  });

  test('needs to know the application', async () => {
    await expect(importOf(fileOf(`${HEAD}\n${line('i', 1)}\n`), {})).rejects.toThrow('--into');
    await expect(importOf(fileOf('a,b\n1,2\n', 'x.csv'), { into: application })).rejects.toThrow('--type');
  });
});

test('the command writes lines to its output, and says on the other what it has done', async () => {
  const client = await Client.create('by command');
  await client.make('note', { n: 1 });
  const run = (...args: string[]) => runApp(args, { FOREDGE_URL: '' });
  const url = ['--url', inject('url')];
  const { stdout, stderr } = await run('export', client.application, '--type', 'note', ...url);
  expect(stdout).toBe(`${HEAD}\n${await exported(client.application, 'note')}{"foredge":{"end":1}}\n`);
  expect(stderr).toBe('1 documents and deletions\n');
  const usage = (await run('usage', client.application, ...url)).stdout.split('\n').slice(0, -1);
  const held = usage.slice(1, usage.indexOf('')).map((line) => line.trim().split(/ +/));
  expect(held.map(([documents, , ...rest]) => [documents, rest.at(-1)])).toEqual([
    ['1', 'note'],
    ['1', 'core.api-key'],
  ]);
  const file = fileOf(stdout);
  const other = await Client.create('by command, too');
  const done = await run('import', file, '--into', other.application, ...url);
  expect(done.stderr).toBe('1 documents and deletions stored, 0 were there already\n');
  await expect(run('import', file, '--strange')).rejects.toThrow("Unknown option '--strange'");
  const { id } = JSON.parse(stdout.split('\n')[1] ?? '') as { id: string };
  const differing = fileOf(`${HEAD}\n{"type":"note","id":"${id}"}\n${END}\n`);
  await expect(run('import', differing, '--into', other.application, ...url)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('line 2: ') as unknown,
  });
  const theirs = fileOf('{"__collections__":{"note":{"a":{"n":1},"b":{"id":2}}}}', 'backup.json');
  const from = ['import', theirs, '--from', 'firestore', '--into', other.application, ...url];
  await expect(run(...from)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/line 3: .*\n[^]*The lines are those of .*lines\.ndjson\n$/) as unknown,
  });
  expect((await run(...from, '--rename', 'id=number')).stderr).toBe(
    '2 documents and deletions stored, 0 were there already\n',
  );
});
