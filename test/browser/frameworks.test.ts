/** The hooks, stores and composables of docs/frameworks.md, as printed: they compile, and pages with them follow. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compile } from 'svelte/compiler';
import { describe, expect, inject, test } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import { connect } from '../../src/client/index.ts';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { serveSite } from '../support/site.ts';
import { ROOT } from '../support/started.ts';
import { newFolder } from '../support/scope.ts';

const browser = useBrowser();
const folder = newFolder();

interface Framework {
  /** The language of the printed component, and the file that it becomes. */
  readonly component: string;
  readonly file: string;
  /** What the framework's own tools make of the printed component. */
  readonly compiled?: (code: string) => string;
  /** Shows `App` with `props` in `target`, until `leave()`. */
  readonly mount: string;
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  React: {
    component: 'tsx',
    file: 'App.tsx',
    mount: `import { createElement, StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      const root = createRoot(target);
      root.render(createElement(StrictMode, null, createElement(App, props)));
      globalThis.leave = () => root.unmount();`,
  },
  Svelte: {
    component: 'svelte',
    file: 'App.js',
    compiled: (code) => compile(code, { filename: 'App.svelte' }).js.code,
    mount: `import { mount, unmount } from 'svelte';
      const app = mount(App, { target, props });
      globalThis.leave = () => unmount(app);`,
  },
  Vue: {
    component: 'vue',
    file: 'App.ts',
    compiled: (code) =>
      compileScript(parse(code, { filename: 'App.vue' }).descriptor, { id: 'app', inlineTemplate: true })
        .content,
    mount: `import { createApp, h, Suspense } from 'vue';
      const app = createApp(() => h(Suspense, () => h(App, props)));
      app.mount(target);
      globalThis.leave = () => app.unmount();`,
  },
};

const SECTIONS = readFileSync(join(ROOT, 'docs/frameworks.md'), 'utf8').split(/^## /m);
function blockOf(section: string, language: string): string {
  const text = SECTIONS.find((each) => each.startsWith(section)) ?? '';
  const [, code] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  return code ?? expect.fail(`${section} has no ${language}.`);
}

const SETTINGS = {
  extends: join(ROOT, 'src/client/tsconfig.json'),
  compilerOptions: {
    jsx: 'react-jsx',
    paths: {
      'foredge/client': [join(ROOT, 'src/client/index.ts')],
      'foredge/client/*': [join(ROOT, 'src/client/*.ts')],
    },
  },
  include: ['foredge.ts', 'App.tsx'],
};

interface Types {
  lists: { attributes: { title: string }; relationships: object };
  tasks: { attributes: { text: string; done: boolean }; relationships: { list: 'lists' } };
}

/** What the command would write of the application. */
const TYPES = `export interface Types {
  lists: { attributes: { title: string }; relationships: object };
  tasks: { attributes: { text: string; done: boolean }; relationships: { list: 'lists' } };
}`;

/** Writes a project of the framework, whose pages use this application. */
function projectOf(name: string, { application, key }: Record<'application' | 'key', string>): string {
  const project = mkdtempSync(join(folder, `${name}-`));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  const { component, file, compiled, mount } = FRAMEWORKS[name] ?? expect.fail();
  const app = blockOf(name, component);
  const db = blockOf('', 'ts')
    .replace('http://127.0.0.1:8787', inject('url'))
    .replaceAll('<application id>', application)
    .replace('<api key>', key);
  const files = {
    'tsconfig.json': JSON.stringify(SETTINGS),
    'types.ts': TYPES,
    'db.ts': db,
    'foredge.ts': blockOf(name, 'ts'),
    [file]: compiled?.(app) ?? app,
    'page.js': `import App from './${file}';
      const [target, props] = [document.querySelector('main'), { list: location.hash.slice(1) }];
      ${mount}`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
  return project;
}

async function bundle(project: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(project, 'page.js')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    conditions: ['browser', 'development'],
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]?.text ?? '';
}

/** A page of a framework with a list "Holiday", whose only task is "Tea", for whoever may send `methods`. */
async function openPage(name: string, methods: readonly string[]) {
  const owner = await Client.create();
  const { url, application, key } = owner;
  const db = connect<Types>({ url, application, key });
  const list = await db.create('lists', { title: 'Holiday' });
  const tea = await db.create('tasks', { text: 'Tea', done: false, list });
  const visitor = await owner.withPermissions([{ path: '/resources/.*', methods }]);
  const script = await bundle(projectOf(name, visitor));
  const site = await serveSite({
    '/': `<!doctype html><meta charset="utf-8"><title>${name}</title><main></main>
      <script>
        const sockets = [];
        WebSocket = class extends WebSocket {
          constructor(...address) {
            super(...address);
            sockets.push(this);
          }
        };
      </script>
      <script type="module" src="/page.js"></script>`,
    '/page.js': script,
  });
  const page = await browser.open(`${site}/#${list.id}`);
  const told: string[] = [];
  page.on('dialog', (dialog) => {
    told.push(dialog.message());
    void dialog.dismiss();
  });
  const task = (text: string, pressed: boolean) => page.getByRole('button', { name: text, pressed });
  await task('Tea', false).waitFor();
  return { db, list, tea, page, told, task };
}

describe.each(Object.keys(FRAMEWORKS))('%s', (name) => {
  test('knows the types of the application', () => {
    const project = projectOf(name, { application: '', key: '' });
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  test('shows what is there, what others write, and what the page changes', async () => {
    const { db, list, tea, page, task } = await openPage(name, ['get', 'patch']);
    await page.getByRole('heading', { name: 'Holiday' }).waitFor();
    await db.create('tasks', { text: 'Milk', done: true, list });
    await task('Milk', true).waitFor();
    await db.update(list, { title: 'Journey' });
    await page.getByRole('heading', { name: 'Journey' }).waitFor();
    await task('Tea', false).click();
    await expect.poll(async () => (await db.get('tasks', tea.id))?.done).toBe(true);
    await task('Tea', true).waitFor();
  });

  test('tells that a change is refused, and shows it no longer', async () => {
    const { page, told, task } = await openPage(name, ['get']);
    const { promise: free, resolve } = Promise.withResolvers<undefined>();
    await page.route('**/resources/tasks/*', async (route) => {
      if (route.request().method() === 'PATCH') await free;
      await route.fallback();
    });
    await task('Tea', false).click();
    // Only React shows it before it is stored.
    await task('Tea', name === 'React').waitFor();
    resolve(undefined);
    await expect.poll(() => told).toEqual([expect.stringContaining('ForedgeError')]);
    await task('Tea', false).waitFor();
    browser.expects(/403/);
  });

  test('follows each list once, and no longer than it is shown', async () => {
    const { page } = await openPage(name, ['get']);
    await page.clock.install();
    await page.reload();
    await page.waitForFunction('sockets.filter(({ readyState }) => readyState === 1).length === 2');
    await page.clock.runFor(10_000);
    expect(await page.evaluate('sockets.map(({ readyState }) => readyState)')).toEqual([1, 1]);
    await page.evaluate('leave()');
    await page.clock.runFor(10_000);
    await page.waitForFunction('sockets.every(({ readyState }) => readyState > 1)');
    expect(await page.evaluate('sockets.length')).toBe(2);
  });
});
