/** Styles are imported for their effect: the bundler gathers them. */
declare module '*.css';

/** The land of the Earth, as world-atlas has it. */
declare module 'world-atlas/land-110m.json' {
  import type { GeometryCollection, Topology } from 'topojson-specification';

  const topology: Topology<{ readonly land: GeometryCollection }>;
  export default topology;
}
