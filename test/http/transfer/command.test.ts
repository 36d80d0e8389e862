/** The operator's commands `export` and `import` (docs/operating.md): files, formats, and what goes wrong on the way. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { exportApplication } from '../../../scripts/transfer/export.ts';
import { importFile, type ImportOptions } from '../../../scripts/transfer/import.ts';
import { Progress } from '../../../scripts/transfer/progress.ts';
import { Service } from '../../../scripts/transfer/service.ts';
import { toFile } from '../../../scripts/transfer/targets.ts';
import { Client } from '../../support/client.ts';
import { makeRich } from '../../support/rich-application.ts';
import { ROOT } from '../../support/started.ts';
import { exported, firstPage } from '../../support/transfer.ts';

const folder = mkdtempSync(join(tmpdir(), 'foredge-command-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
const fileOf = (content: string | Uint8Array, name = 'file.ndjson') => {
  const file = join(folder, `${(files += 1)}-${name}`);
  writeFileSync(file, content);
  return file;
};
const textOfBytes = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const newFile = (name: string) => join(folder, `${(files += 1)}-${name}`);

const service = new Service(inject('url'), inject('operatorSecret'));
const progress = new Progress(process.stderr);
const HEAD = '{"foredge":{"export":1}}';
const END = '{"foredge":{"end":0}}';

const exportTo = async (file: string, application: string, type: string | null = null) =>
  exportApplication(
    service,
    { application, type },
    await toFile(file, service.base, { application, type }),
    progress,
  );

/** The report of an import, and what it has told of lines. */
async function importOf(file: string, options: Partial<ImportOptions>) {
  const told: string[] = [];
  const all = { into: null, type: null, checked: true, names: new Map<string, string>(), ...options, file };
  const report = await importFile(service, all, progress, (line, reason) => told.push(`${line}: ${reason}`));
  return { ...report, told };
}

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
    await client.patch(`/resources/many/${id}`, { data: { type: 'many', id, attributes: { name } } });
    expect(await exportTo(file, client.application, 'many')).toBe(2300);
    expect(textOf(file)).toBe(`${HEAD}\n${whole}{"foredge":{"end":2300}}\n`);
    await expect(exportTo(file, client.application, 'many')).rejects.toThrow('is there already');
  });

  test('begins the type again when its moment is not kept any more', async () => {
    const file = newFile('late.ndjson');
    await cutOff(file);
    for (let n = 0; n < 4; n += 1) await firstPage(client.application, 'many', 1);
    const id = '0'.repeat(24);
    await client.patch(`/resources/many/${id}`, { data: { type: 'many', id, attributes: { late: true } } });
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
        `4: The linked document does not exist: There is no document ${'f'.repeat(24)} of type b. (/relationships/to/data)`,
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

describe('documents of other services', () => {
  const oid = '5f5e100f0f0f0f0f0f0f0f0f';
  const canonical = {
    _id: { $oid: oid },
    int: { $numberInt: '5' },
    long: { $numberLong: '5' },
    double: { $numberDouble: '2.0' },
    decimal: { $numberDecimal: '1.10' },
    date: { $date: { $numberLong: '1600000000001' } },
    deep: [{ when: { $date: { $numberLong: '-1' } } }],
  };
  const relaxed = `{"_id":{"$oid":"${oid}"},"int":5,"long":{"$numberLong":"5"},"double":2.0,
    "decimal":{"$numberDecimal":"1.10"},"date":{"$date":"2020-09-13T12:26:40.001Z"},
    "deep":[{"when":{"$date":{"$numberLong":"-1"}}}]}`;
  const csv =
    'name,age,zip,address.city,address.street,member,big\nAda,36,01099,Łódź,"A, B",true,12345678901234567\n,,,,,,\n';

  let client: Client;
  beforeAll(async () => {
    client = await Client.create();
  });
  const shown = async (type: string) => {
    const lines = (await exported(client.application, type)).split('\n').slice(0, -1);
    return lines.map((each) => {
      const { id } = JSON.parse(each) as { id: string };
      return { id, attributes: /"attributes":(.*),"meta"/.exec(each)?.[1] };
    });
  };
  const taken = async (
    content: string | Uint8Array,
    name: string,
    type: string,
    more: Partial<ImportOptions> = {},
  ) => importOf(fileOf(content, name), { into: client.application, type, ...more });

  test.each([
    ['canonical', 'lines', `${JSON.stringify(canonical)}\n`],
    ['relaxed', 'lines', `${relaxed.replaceAll('\n', ' ')}\n`],
    ['canonical', 'array', `[${JSON.stringify(canonical)}]\n`],
    ['relaxed', 'array', `\ufeff [\n${relaxed}\n]`],
  ])('of mongoexport, %s, as %s, keep ids and kinds', async (form, way, text) => {
    const type = `${form}-${way}`;
    expect(await taken(text, 'x.json', type)).toMatchObject({ stored: 1, whole: true, told: [] });
    const [{ id, attributes } = { id: '', attributes: undefined }] = await shown(type);
    expect(id).toBe(oid);
    expect(JSON.parse(attributes ?? '')).toEqual({
      int: 5,
      long: { $numberLong: '5' },
      double: 2,
      decimal: { $numberDecimal: '1.10' },
      date: { $date: '2020-09-13T12:26:40.001Z' },
      deep: [{ when: { $date: '1969-12-31T23:59:59.999Z' } }],
    });
    expect(attributes).toContain('"double":2.0,');
  });

  test('in CSV have numbers, texts and objects', async () => {
    expect(await taken(csv, 'x.csv', 'csv')).toMatchObject({ stored: 2, told: [] });
    expect((await shown('csv')).map(({ attributes }) => attributes)).toEqual([
      '{"name":"Ada","age":36,"zip":"01099","address":{"city":"Łódź","street":"A, B"},"member":true,"big":{"$numberLong":"12345678901234567"}}',
      undefined,
    ]);
    const zipped = await taken(gzipSync(csv), 'y.csv.gz', 'zipped');
    expect(zipped).toMatchObject({ stored: 2, told: [] });
  });

  test('that have no ids of their own get the same ones again', async () => {
    const file = fileOf('[{"n":1},{"n":2,"_id":7}]', 'x.json');
    const options = { into: client.application, type: 'again' };
    expect(await importOf(file, options)).toMatchObject({ stored: 2, unchanged: 0 });
    expect(await importOf(file, options)).toMatchObject({ stored: 0, unchanged: 2 });
    expect((await shown('again')).map(({ attributes }) => attributes)).toEqual([
      '{"n":1}',
      '{"n":2,"_id":7}',
    ]);
  });

  test('may need other names', async () => {
    const text = '{"id":"x","type":"y","n":1}\n';
    expect((await taken(text, 'x.json', 'named')).told).toHaveLength(2);
    const names = new Map([
      ['id', 'number'],
      ['type', 'kind'],
    ]);
    expect(await taken(text, 'x.json', 'named', { names })).toMatchObject({ stored: 1, told: [] });
    expect((await taken(text, 'x.json', 'named', { names: new Map([['id', 'n']]) })).told).toEqual([
      '1: Two fields would have the same name.',
    ]);
  });

  test.each([
    [
      '{"a":{"$binary":{"base64":"","subType":"00"}}}',
      '1: The value is not valid: There is no wrapper $binary',
    ],
    ['{"a":{"$numberDouble":"NaN"}}', '1: The value is not valid: There is no wrapper $numberDouble'],
    ['{"a":1e999}', '1: The value is not valid: The number 1e999 fits no kind of number.'],
    ['{"a":', '1: '],
    ['5', '1: This is no object.'],
  ])('are refused with a reason: %s', async (text, reason) => {
    const { told, stored } = await taken(text, 'x.json', 'refused');
    expect([stored, told.length]).toEqual([0, 1]);
    expect(told[0]).toContain(reason);
  });

  test.each([
    ['[{"a":1},5]', 'The file must be an array of objects.'],
    ['[{"a":1}', 'has no end'],
  ])('are no array of objects: %s', async (text, reason) => {
    await expect(taken(text, 'x.json', 'array')).rejects.toThrow(reason);
  });
});

test('the command writes lines to its output, and says on the other what it has done', async () => {
  const client = await Client.create('by command');
  await client.make('note', { n: 1 });
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/app.ts'), ...args], {
      env: { ...process.env, FOREDGE_URL: '', OPERATOR_SECRET: inject('operatorSecret') },
    });
  const url = ['--url', inject('url')];
  const { stdout, stderr } = await run('export', client.application, '--type', 'note', ...url);
  expect(stdout).toBe(`${HEAD}\n${await exported(client.application, 'note')}{"foredge":{"end":1}}\n`);
  expect(stderr).toBe('1 documents and deletions\n');
  const usage = (await run('usage', client.application, ...url)).stdout.split('\n').slice(0, -1);
  expect(usage.map((line) => line.trim().replace(/ +[\d,]{5,} +/, ' … '))).toEqual([
    '1 … note',
    '1 … core.api-key',
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
});
