/** The form of a new document knows its type: from the schemas, and from the documents that are there. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { button, entered, expectAccessible, field, goTo } from '../../support/dashboard.ts';
import { makeSchema, settle } from '../../support/type-settings.ts';

const browser = useBrowser();

const ATTRIBUTES = {
  required: ['title'],
  properties: {
    title: { $ref: '#/definitions/title' },
    state: { type: 'string', enum: ['draft', 'public'] },
    // The service stores no default: none is shown as if it did.
    pages: { type: 'integer', description: 'How many there are.', default: 100 },
    isbn: { type: ['null', 'string'] },
    mail: { type: 'string', format: 'email' },
    hue: { type: 'string', format: 'color' },
    day: { type: 'string', format: 'date' },
    printer: {
      type: 'object',
      properties: { town: { type: 'string', enum: ['Bath', 'York'] }, since: { type: 'integer' } },
    },
    tags: { type: 'array', items: { enum: ['new', 'old'] } },
    total: { type: 'integer' },
  },
};

async function withSchema() {
  const client = await Client.create();
  await client.create('/schemas/core.schema', {
    attributes: {
      target: 'books',
      content: {
        definitions: { title: { type: 'string', title: 'Title of the book' } },
        type: 'object',
        required: ['attributes'],
        properties: { attributes: { type: 'object', ...ATTRIBUTES } },
      },
    },
  });
  return client;
}

/** What was created last. */
async function createdIn(client: Client) {
  const [made] = (await client.get('/resources/books?sort=-id')).body.data;
  if (made === undefined) throw new Error('There is none.');
  return made;
}

test('it has the fields of the schema but computed ones, by their titles, and sends those filled in', async () => {
  const client = await withSchema();
  await settle(client, { name: 'books', set: { total: { $multiply: ['$pages', 2] } } });
  const page = await entered(browser, client, '#/documents/books/new');
  await field(page, 'Title of the book').waitFor();
  await page.getByText('required', { exact: true }).waitFor();
  await page.getByText('How many there are.').waitFor();
  await expectAccessible(page);
  expect(await page.getByText(/is required\.|1 error/).count()).toBe(0);
  // A key after the other: the control stays the same when the field comes to be.
  await field(page, 'Title of the book').pressSequentially('Emma');
  await field(page, 'state').selectOption('public');
  await field(page, 'pages').pressSequentially('320');
  expect(await field(page, 'mail').getAttribute('inputmode')).toBe('email');
  await field(page, 'day').fill('2026-05-04');
  await field(page, 'hue as a color').fill('#112233');
  expect(await field(page, 'hue').inputValue()).toBe('#112233');
  const printer = page.getByRole('group', { name: 'printer' });
  await printer.getByLabel('town', { exact: true }).selectOption('York');
  await printer.getByLabel('since', { exact: true }).fill('1815');
  await page.getByRole('group', { name: 'tags' }).getByText('Add an item').click();
  await field(page, 'item 1').selectOption('old');
  expect(await field(page, 'total').count()).toBe(0);
  await expectAccessible(page);
  await button(page, 'Create').click();
  await page.getByText('The document is made.').waitFor();
  const { attributes } = await createdIn(client);
  expect(attributes).toEqual({
    ...{ title: 'Emma', state: 'public', pages: 320, hue: '#112233', day: '2026-05-04' },
    ...{ printer: { town: 'York', since: 1815 }, tags: ['old'], total: 640 },
  });
  await page.getByText('The service computes it.').waitFor();
  expect(await field(page, 'total').isEditable()).toBe(false);
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await field(page, 'pages').fill('3');
  await button(page, 'Create').click();
  await expect
    .poll(async () => (await createdIn(client)).attributes)
    .toMatchObject({ title: 'Emma', pages: 3, total: 6 });
});

test.each([
  ['link', (id: string) => `/${id}`, '[aria-label="New document"]', () => 'A new document'],
  ['row', () => '', 'tbody td.id + td', (id: string) => id],
])(
  'a click on a %s leads on at once: what is typed next is for the next page',
  async (_, at, what, title) => {
    const client = await Client.create();
    const { id } = await client.make('books', { title: 'Emma' });
    const page = await entered(browser, client, `#/documents/books${at(id)}`);
    await page.locator(what).waitFor();
    // Nothing comes between the click and the look but what the page does in the same turn.
    const heading = await page.evaluate(`(async () => {
    document.querySelector(${JSON.stringify(what)}).click();
    for (let n = 0; n < 10; n += 1) await null;
    return document.querySelector('h1').textContent;
  })()`);
    expect(heading).toBe(title(id));
  },
);

test('what is missing is said when it is sent, and an enum is a list for stored documents too', async () => {
  const client = await withSchema();
  const { id } = await client.make('books', { title: 'Emma', state: 'draft' });
  const page = await entered(browser, client, '#/documents/books/new');
  await field(page, 'state').selectOption('draft');
  await button(page, 'Create').click();
  await page.getByRole('alert').first().waitFor();
  await goTo(page, `#/documents/books/${id}`);
  await button(page, 'Leave without saving').click();
  await page.getByRole('combobox', { name: 'state', exact: true }).selectOption('public');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  expect((await client.get(`/resources/books/${id}`)).body.data.attributes).toMatchObject({
    state: 'public',
  });
  browser.expects(/422/);
});

test('without a schema it has the fields and relationships of the latest documents, with their kinds', async () => {
  const client = await Client.create();
  const maker = await client.make('makers', { name: 'Jane' });
  const first = {
    title: 'Emma',
    seen: { $date: '2026-05-04T10:00:00.000Z' },
    price: { $numberDecimal: '9.90' },
  };
  await client.make('books', first, { author: { data: { type: maker.type, id: maker.id } } });
  const page = await entered(browser, client, '#/documents/books/new');
  await field(page, 'title').fill('Persuasion');
  await field(page, 'price').fill('12.50');
  expect(await page.getByLabel('Kind of seen').inputValue()).toBe('date');
  await button(page, 'Link author').click();
  // The search begins with the type that the others link to.
  await page.getByRole('dialog').getByRole('button', { name: 'Jane' }).click();
  await button(page, 'Create').click();
  await page.getByText('The document is made.').waitFor();
  const { attributes, relationships } = await createdIn(client);
  expect(attributes).toEqual({ title: 'Persuasion', price: 12.5 });
  expect(relationships?.['author']?.data).toEqual({ type: 'makers', id: maker.id });
});

test('dates and relationships are offered that only a schema names', async () => {
  const client = await Client.create();
  const maker = await client.make('makers', { name: 'Jane' });
  const link = (type: object) => ({ type: 'object', properties: { type } });
  const linked = (data: object) => ({ oneOf: [{ type: 'null' }, { properties: { data } }] });
  const relationships = {
    author: linked(link({ const: 'makers' })),
    others: linked({ type: 'array', items: link({ pattern: '^(?:makers)$' }) }),
  };
  await makeSchema(client, 'books', {
    attributes: { properties: { seen: { type: 'string', format: 'date-time' } } },
    relationships: { properties: relationships },
  });
  const page = await entered(browser, client, '#/documents/books/new');
  expect(await page.getByLabel('Kind of seen').inputValue()).toBe('date');
  for (const name of ['author', 'others']) {
    await button(page, `Link ${name}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Jane' }).click();
  }
  await button(page, 'Create').click();
  await page.getByText('The document is made.').waitFor();
  const made = (await createdIn(client)).relationships;
  const to = { type: 'makers', id: maker.id };
  expect([made?.['author']?.data, made?.['others']?.data]).toEqual([to, [to]]);
});

const MARKDOWN = `# Emma

She is **clever** and [rich](https://example.org/emma "Emma").

- [x] read

| a | b |
| - | - |
| 1 | 2 |

<b onclick="globalThis.ran = 1">raw</b> <script>globalThis.ran = 2</script>
<img src="https://example.org/seen.png" onerror="globalThis.ran = 3">
<pre><img/src=x/onerror=globalThis.ran=4></pre> <code> <svg/onload=globalThis.ran=5>

![a picture](https://example.org/picture.png) [bad](javascript:globalThis.ran=6) [bad](data:text/html,x)
[near](/account) <javascript:globalThis.ran=7>

\`\`\`"><img/src=x/onerror=globalThis.ran=8>
code
\`\`\`
`;

test('Markdown has a preview, in which nothing that a document says runs or is loaded', async () => {
  const client = await Client.create();
  const story = { type: 'string', format: 'markdown' };
  await makeSchema(client, 'books', { attributes: { properties: { story } } });
  const { id } = await client.make('books', { story: MARKDOWN });
  const page = await entered(browser, client, `#/documents/books/${id}`);
  await button(page, 'Preview of story').click();
  const preview = page.getByRole('region', { name: 'Preview of story' });
  await preview.getByRole('heading', { name: 'Emma' }).waitFor();
  await preview.getByRole('cell', { name: '2' }).waitFor();
  await expectAccessible(page);
  expect(await preview.locator('script, img, svg, [onclick], [style]').count()).toBe(0);
  const links = await preview.getByRole('link').all();
  expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
    'https://example.org/emma',
    'https://example.org/picture.png',
  ]);
  await preview.getByRole('link', { name: 'a picture' }).waitFor();
  expect(await page.evaluate('globalThis.ran')).toBeUndefined();
  await field(page, 'story').fill('## Persuasion');
  await preview.getByRole('heading', { name: 'Persuasion' }).waitFor();
  for (const hostile of ['*a_'.repeat(20_000), '>'.repeat(19_000)]) {
    await field(page, 'story').fill(hostile);
    await preview.getByText('This text is too long, or nested too deep, for a preview.').waitFor();
    await field(page, 'story').fill('## Persuasion');
    await preview.getByRole('heading', { name: 'Persuasion' }).waitFor();
  }
});
