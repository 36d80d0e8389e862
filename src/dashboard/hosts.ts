/** Stands for Node's `url` in the schemas' code (scripts/assets/dashboard.ts): browsers make names ASCII. */

export function domainToASCII(name: string): string {
  return URL.parse(`http://${name}`)?.hostname ?? '';
}

export function domainToUnicode(name: string): string {
  return name;
}
