/** The icons of the dashboard: strokes on a grid of 20. They say nothing by themselves, so programs pass over them. */

const PATHS = {
  add: 'M10 4v12M4 10h12',
  aggregate: 'M3 17V9M8 17V3M13 17v-6M18 17V6',
  alert: 'M10 3 2 17h16L10 3zM10 8v4M10 14.5v.5',
  audit: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  bulk: 'M3 5h2M3 10h2M3 15h2M8 5h9M8 10h9M8 15h9',
  check: 'm4 10 4 4 8-9',
  close: 'M5 5l10 10M15 5 5 15',
  code: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  documents: 'M5 2.5h7l3.5 3.5v11.5H5zM12 2.5V6h3.5',
  down: 'm5 8 5 5 5-5',
  file: 'M3 4h14v12H3zM3 14l4-4 3 3 3-3 4 4M7 7.5h.01',
  gauge: 'M3 14a7 7 0 1 1 14 0M10 14l3.5-5',
  group:
    'M7 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 16c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5' +
    'M13 4.2a2.5 2.5 0 0 1 0 4.6M14 11.7c2 .4 3.5 1.8 3.5 4.3',
  home: 'm3 9 7-6 7 6v8h-5v-5H8v5H3z',
  key: 'M7 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10.5 10H18v3M15 10v2',
  leave: 'M8 3H3v14h5M13 6l4 4-4 4M17 10H8',
  live: 'M2 10h4l2-6 4 12 2-6h4',
  mail: 'M2.5 5h15v11h-15zM2.5 6l7.5 5.5L17.5 6',
  menu: 'M3 5h14M3 10h14M3 15h14',
  pen: 'M3 17l1-4L14 3l3 3L7 16z',
  reload: 'M16 6a7 7 0 1 0 1 5M16 2v4h-4',
  schema: 'M7 3C4 3 6 9 3 10c3 1 1 7 4 7M13 3c3 0 1 6 4 7-3 1-1 7-4 7',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17',
  theme: 'M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14',
  transfer: 'M6 3v12M3 12l3 3 3-3M14 17V5M11 8l3-3 3 3',
  trash: 'M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11',
  up: 'm5 12 5-5 5 5',
  user: 'M10 9.5a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM4 17c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5',
  webhook: 'M8 10a3 3 0 1 0-2 3h8a2.5 2.5 0 1 0-2-4L9 4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
