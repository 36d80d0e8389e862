/** The values of `format` that are checked; any other means nothing, as the drafts have it. No test can be slow. */
import { parseDate } from '../domain/dates.ts';

/** Longer texts are of no format: no test may read a megabyte. */
export const LONGEST = 4096;

const DATE_TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const TIME = /^[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;
const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\.(?!$)|$)){4}$/;
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

const TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => DATE_TIME.test(text.toUpperCase()) && parseDate(text.toUpperCase()) !== undefined,
  date: (text) => DATE.test(text) && parseDate(text) !== undefined,
  time: (text) =>
    TIME.test(text.toUpperCase()) && parseDate(`2000-01-01T${text.toUpperCase()}`) !== undefined,
  email: (text) => EMAIL.test(text) && !text.includes('..'),
  ipv4: (text) => IPV4.test(text),
  ipv6: (text) => /^[0-9a-fA-F:.]+$/.test(text) && URL.canParse(`http://[${text}]/`),
  uri: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) && !/[\s<>"{}|\\^`]/.test(text) && URL.canParse(text),
  'uri-reference': (text) => !/[\s<>"{}|\\^`]/.test(text) && URL.canParse(text, 'http://localhost/'),
  uuid: (text) => UUID.test(text),
};

/** Tests by the name of the format. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries(TESTS).map(([name, test]) => [name, (text: string) => text.length <= LONGEST && test(text)]),
);
