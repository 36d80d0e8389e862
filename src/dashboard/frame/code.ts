/** A request as text: for a shell, and for a program with the client. Credentials are names of variables. */
import { BASE, type Exchange } from '../session/service.ts';

/** Headers with credentials, and what stands in their place. */
const SECRET: Readonly<Record<string, string>> = {
  'api-key': '$KEY',
  'foredge-explain': '$OPERATOR_SECRET',
};

/** Headers that say nothing to whoever reads the code. */
const SILENT: ReadonlySet<string> = new Set(['accept']);

export function asCurl({ method, path, query, body, headers, asOperator }: Exchange): string {
  // With a body, curl has no other place for the query than the address.
  const parameters = body === undefined ? [...new URLSearchParams(query)] : [];
  const address = body === undefined || query === '' ? path : `${path}?${query}`;
  const lines = [
    `curl -s${parameters.length > 0 ? 'G' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(BASE + address)}`,
    ...Object.entries(headers)
      .filter(([name]) => !SILENT.has(name))
      .map(([name, value]) => `-H "${name}: ${shown(name, value, asOperator)}"`),
    ...parameters.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(pretty(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

export function asClient({ method, path, query, body, headers, asOperator }: Exchange): string {
  if (asOperator) return `// The operator's requests have no client: see curl.\n// ${method} ${path}`;
  const options = [
    ...(query === ''
      ? []
      : [`  query: new URLSearchParams(${json([...new URLSearchParams(query)])}).toString(),`]),
    ...(headers['if-match'] === undefined
      ? []
      : [`  headers: { 'if-match': ${json(headers['if-match'])} },`]),
    ...(body === undefined ? [] : [`  body: ${pretty(body).replaceAll('\n', '\n  ')},`]),
  ];
  const application = json(headers['application-id'] ?? '');
  const token = headers['authorization'] === undefined ? '' : ', token: TOKEN';
  const more = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return [
    `import { connect } from '${BASE}/client.js';`,
    '',
    `const db = connect({ url: '${BASE}', application: ${application}, key: KEY${token} });`,
    `const { body } = await db.request('${method}', ${json(path)}${more});`,
  ].join('\n');
}

function shown(name: string, value: string, asOperator: boolean): string {
  if (name === 'authorization') return asOperator ? 'Bearer $OPERATOR_SECRET' : 'Token $TOKEN';
  return SECRET[name] ?? value.replaceAll(/["$\\`]/g, String.raw`\$&`);
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a body must not show: as names of variables, wherever it stands. */
const SECRET_MEMBERS: Readonly<Record<string, string>> = {
  password: '$PASSWORD',
  'secure-id': '$SECURE_ID',
  secret: '$SECRET',
  token: '$TOKEN',
};

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body, masked), null, 2);
  } catch {
    return body;
  }
}

function masked(name: string, value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(SECRET_MEMBERS, name) ? SECRET_MEMBERS[name] : value;
}

const json = (value: unknown) => JSON.stringify(value);
