/** What a page is given: the steps of the route behind its own. */
export interface PageProps {
  readonly steps: readonly string[];
}
