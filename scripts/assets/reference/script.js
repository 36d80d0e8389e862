// The reference page: shows openapi.json in the viewer, and again with the types of an application once somebody has
// entered its credentials, here or in the dashboard. These stay in this tab.

/* global document, URL, matchMedia, location, FormData, fetch, customElements, sessionStorage */
const explorer = document.querySelector('openapi-explorer');
const form = document.querySelector('#credentials');
const state = document.querySelector('#state');

/** Colours of the viewer, as those of the site. */
const THEMES = {
  light: {
    'bg-color': '#fcfbf8',
    'text-color': '#25221d',
    'header-color': '#25221d',
    'primary-color': '#96301f',
    'secondary-color': '#7a5c12',
    'nav-bg-color': '#f5f2ea',
    'nav-text-color': '#645e54',
    'nav-hover-bg-color': '#ebe5d6',
    'nav-hover-text-color': '#25221d',
  },
  dark: {
    'bg-color': '#17171a',
    'text-color': '#dfdbd3',
    'header-color': '#dfdbd3',
    'primary-color': '#f2a48c',
    'secondary-color': '#d3b263',
    'nav-bg-color': '#202024',
    'nav-text-color': '#a59f94',
    'nav-hover-bg-color': '#2c2c31',
    'nav-hover-text-color': '#dfdbd3',
  },
};

const dark = matchMedia('(prefers-color-scheme: dark)');
const colour = () => {
  for (const [name, value] of Object.entries(THEMES[dark.matches ? 'dark' : 'light'])) {
    explorer.setAttribute(name, value);
  }
};
dark.addEventListener('change', colour);
colour();

/** The viewer knows no families of parameters (`deepObject`): it is given their members. */
const membersOf = ({ name, style, schema, examples, ...rest }) => {
  if (style !== 'deepObject') return [{ name, style, schema, examples, ...rest }];
  const example = examples?.example?.value ?? {};
  const member = (key, own, value) => ({
    ...rest,
    name: `${name}[${key}]`,
    description: own.description ?? rest.description,
    schema: own,
    ...(value !== undefined && { example: value }),
  });
  if (schema.properties) {
    return Object.entries(schema.properties).map(([key, own]) => member(key, own, example[key]));
  }
  if (name === 'filter') {
    const [[field, condition] = ['title', '"Dracula"']] = Object.entries(example);
    return [member('*', schema.additionalProperties, `{"${field}":${condition}}`)];
  }
  return Object.entries(example).map(([key, value]) => member(key, schema.additionalProperties, value));
};

const forViewer = (document) => {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      operation.parameters = operation.parameters?.flatMap(membersOf);
    }
  }
  // Requests go where this page is from, whatever the public address: its policy permits nothing else.
  document.servers = [{ url: new URL('.', location.href).href.replace(/\/$/, '') }];
  return document;
};

/** The credentials by the names of the security schemes; only those that are given. */
const given = () => {
  const entries = Array.from(new FormData(form), ([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
};

const withScheme = (token) => (/^token /i.test(token) ? token : `Token ${token}`);

const show = async (credentials) => {
  const { token, ...headers } = credentials;
  const answer = await fetch('openapi.json', {
    credentials: 'omit',
    headers: { ...headers, ...(token && { authorization: withScheme(token) }) },
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.errors?.[0]?.detail ?? `The answer was ${answer.status}.`);
  await explorer.loadSpec(forViewer(body));
  for (const [name, value] of Object.entries(credentials)) {
    await explorer.setAuthenticationConfiguration(name, {
      token: name === 'token' ? withScheme(value) : value,
    });
  }
  return Object.keys(body.paths).filter((path) => /^\/resources\/[^{/]+$/.test(path)).length;
};

const tell = (text, fault = false) => {
  state.textContent = text;
  state.classList.toggle('fault', fault);
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  tell('…');
  try {
    const types = await show(given());
    tell(
      types === 0
        ? 'Requests carry them now. The key shows no schemas.'
        : `Requests carry them now. ${types === 1 ? 'One type' : `${types} types`} of the application added.`,
    );
  } catch (error) {
    tell(error.message, true);
  }
});

// Whoever has entered the dashboard in this tab, or came from it, has entered here.
const { application, user } = JSON.parse(sessionStorage.getItem('foredge') ?? '{}');
const entered = {
  'application-id': application?.id ?? '',
  'api-key': application?.key ?? '',
  token: user?.token ?? '',
};
for (const [name, value] of Object.entries(entered)) form.elements[name].value = value;

await customElements.whenDefined('openapi-explorer');
try {
  await show({});
  if (application !== undefined) form.requestSubmit();
} catch (error) {
  tell(error.message, true);
}
