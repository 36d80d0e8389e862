/** What the tests of searches share: addresses of filtered lists. */

export interface FilterParameter {
  readonly field: string | null;
  readonly text: string;
}

/** The address of a list with filters and further parameters. */
export function listPath(
  type: string,
  filters: readonly FilterParameter[],
  further: Readonly<Record<string, string>> = {},
): string {
  const pairs = [
    ...filters.map(({ field, text }) => [`filter[${field ?? '*'}]`, text] as const),
    ...Object.entries(further),
  ];
  return `/resources/${type}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

/** The address of a list with one `filter[*]`. */
export function searchPath(
  type: string,
  filter: unknown,
  further: Readonly<Record<string, string>> = {},
): string {
  return listPath(type, [{ field: null, text: JSON.stringify(filter) }], further);
}
