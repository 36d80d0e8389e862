/** What the schemas' code asks of Node's `url`, of the browser (scripts/assets/dashboard.ts): it makes names ASCII, and does not read them. */

export function domainToASCII(name: string): string {
  return URL.parse(`http://${name}`)?.hostname ?? '';
}

export function domainToUnicode(name: string): string {
  return name;
}
