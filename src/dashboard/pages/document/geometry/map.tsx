/** A small map, drawn in SVG. A click says where. Nothing is fetched: the outlines come with the page. */
import { geoBounds, geoCentroid, geoGraticule10, geoNaturalEarth1, geoPath } from 'd3-geo';
import { useMemo, useState } from 'preact/hooks';
import { feature } from 'topojson-client';
import atlas from 'world-atlas/land-110m.json';
import type { Json } from '../../../../client/values.ts';
import { Icon } from '../../../parts/icons.tsx';
import { geometryOf } from './geometry.ts';

const WIDTH = 640;
const HEIGHT = 320;
const SPHERE = { type: 'Sphere' } as const;
/** Each step of the zoom doubles the scale. */
const CLOSEST = 7;
/** The precision of a click: a ten-thousandth of a degree is some ten meters. */
const CLICKED_DIGITS = 4;

const land = feature(atlas, atlas.objects.land);
const graticule = geoGraticule10();

interface MapProps {
  readonly value: Json;
  readonly label: string;
  /** Told where was clicked; nothing is, where no click counts. */
  readonly onPosition: ((longitude: number, latitude: number) => void) | undefined;
}

export default function WorldMap({ value, label, onPosition }: MapProps) {
  const shown = useMemo(() => geometryOf(value), [value]);
  const [view, setView] = useState(() => firstView(shown));
  const projection = geoNaturalEarth1()
    .rotate([-view.centre[0], 0])
    .fitExtent(
      [
        [4, 4],
        [WIDTH - 4, HEIGHT - 4],
      ],
      SPHERE,
    );
  if (view.zoom > 0)
    projection
      .scale(projection.scale() * 2 ** view.zoom)
      .center([0, view.centre[1]])
      .translate([WIDTH / 2, HEIGHT / 2]);
  const path = geoPath(projection).pointRadius(5);
  const zoomTo = (zoom: number) => {
    setView(zoom === 0 ? WORLD : { zoom, centre: shown === undefined ? view.centre : geoCentroid(shown) });
  };
  const clicked = (event: MouseEvent & { readonly currentTarget: SVGSVGElement }) => {
    const matrix = event.currentTarget.getScreenCTM()?.inverse();
    if (onPosition === undefined || matrix === undefined) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const [longitude, latitude] = projection.invert?.([at.x, at.y]) ?? [];
    if (longitude === undefined || latitude === undefined || Math.abs(latitude) > 90) return;
    onPosition(rounded(longitude), rounded(latitude));
  };
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Map of ${label}`}
        class={onPosition === undefined ? '' : 'settable'}
        onClick={clicked}
      >
        <path class="map-sea" d={path(SPHERE) ?? ''} />
        <path class="map-grid" d={path(graticule) ?? ''} />
        <path class="map-land" d={path(land) ?? ''} />
        {shown !== undefined && <path class="map-shape" d={path(shown) ?? ''} />}
      </svg>
      <div class="map-tools">
        <button
          class="bare"
          type="button"
          aria-label="Closer"
          title="Closer"
          disabled={view.zoom === CLOSEST}
          onClick={() => {
            zoomTo(view.zoom === 0 && shown !== undefined ? fitting(shown) : view.zoom + 1);
          }}
        >
          <Icon name="add" />
        </button>
        <button
          class="bare"
          type="button"
          aria-label="Farther"
          title="Farther"
          disabled={view.zoom === 0}
          onClick={() => {
            zoomTo(view.zoom - 1);
          }}
        >
          <Icon name="minus" />
        </button>
      </div>
      {shown === undefined && (
        <figcaption class="hint">
          Nothing is drawn: this is no valid geometry. Positions are [longitude, latitude].
        </figcaption>
      )}
    </figure>
  );
}

interface View {
  readonly zoom: number;
  readonly centre: readonly [number, number];
}

const WORLD: View = { zoom: 0, centre: [0, 0] };

/** The surroundings of what is there; the world, where nothing was chosen yet. */
function firstView(shape: ReturnType<typeof geometryOf>): View {
  if (shape === undefined) return WORLD;
  const centre = geoCentroid(shape);
  const zoom = Math.max(0, fitting(shape) - 2);
  return zoom === 0 || centre.every((degrees) => degrees === 0) ? WORLD : { zoom, centre };
}

/** The first step in: so close that all of the shape is seen, and something around it. */
function fitting(shape: NonNullable<ReturnType<typeof geometryOf>>): number {
  const [[west, south], [east, north]] = geoBounds(shape);
  const span = Math.max((east - west + 360) % 360, 2 * (north - south), 10);
  return Math.max(1, Math.min(CLOSEST, Math.floor(Math.log2(240 / span))));
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(CLICKED_DIGITS));
}
