/** The formats that are checked, by the tests of @cfworker/json-schema and, where the RFCs ask for more, by ours. */
import { format } from '@cfworker/json-schema';
import { parseEcma } from '../../query/regex/ecma/parse.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import type { Work } from '../work.ts';
import { isIdnHostname } from './hostname.ts';
import { inAscii, isReference } from './uri.ts';

/** Longer texts are of no format: no test may read a megabyte. */
export const LONGEST = 4096;

type Test = (text: string, work: Work) => boolean;

function testOf(name: string): (text: string) => boolean {
  const test = format[name];
  if (test === undefined) throw new Error(`The schema library has no format ${name}.`);
  return test;
}

const isUri: Test = (text) => testOf('uri')(text) && isReference(text, testOf('ipv6'));
const isUriReference: Test = (text) => testOf('uri-reference')(text) && isReference(text, testOf('ipv6'));
const isIdn: Test = (text, work) => {
  work.spend(SCHEMA_LIMITS.idnWork);
  return isIdnHostname(text, testOf('hostname'));
};
const isHostname: Test = (text, work) =>
  testOf('hostname')(text) && (!/(?:^|\.)xn--/i.test(text) || isIdn(text, work));
const hasIdn: Test = (text, work) => {
  const [, local = '', host = ''] = /^(.*)@([^@]*)$/su.exec(text) ?? [];
  return isIdn(host, work) && testOf('email')(`${local.replace(/\P{ASCII}/gu, 'a')}@a`);
};

/** Tests that hold beside the library's, or in its place. */
const OWN_TESTS: Readonly<Record<string, Test>> = {
  regex: (text) => parseEcma(text).ok,
  uri: isUri,
  'uri-reference': isUriReference,
  iri: (text, work) => isUri(inAscii(text), work),
  'iri-reference': (text, work) => isUriReference(inAscii(text), work),
  hostname: isHostname,
  'idn-hostname': (text, work) => isHostname(text, work) || isIdn(text, work),
  'idn-email': (text, work) => testOf('email')(text) || hasIdn(text, work),
};

/** The formats that are checked: not the library's `url`, whose time is exponential. */
const CHECKED = [
  ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'email', 'hostname'],
  ...['ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
  ...['iri', 'iri-reference', 'idn-email', 'idn-hostname'],
];

export const FORMATS: ReadonlyMap<string, Test> = new Map(
  CHECKED.map((name) => {
    const test = OWN_TESTS[name] ?? testOf(name);
    return [name, (text, work) => text.length <= LONGEST && test(text, work)] as const;
  }),
);
