/** A small map, drawn in SVG. A click says where. Nothing is fetched: the outlines come with the page. */
import {
  geoArea,
  geoBounds,
  geoCentroid,
  geoGraticule10,
  geoNaturalEarth1,
  geoPath,
  type GeoGeometryObjects,
} from 'd3-geo';
import { useMemo, useState } from 'preact/hooks';
import { feature } from 'topojson-client';
import atlas from 'world-atlas/land-110m.json';
import type { Json } from '../../../client/values.ts';
import { IconButton } from '../../parts/button.tsx';
import { isItems, isMembers } from '../../parts/fields/json.ts';

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
  const zoomTo = (zoom: number) =>
    setView(zoom === 0 ? WORLD : { zoom, centre: shown === undefined ? view.centre : geoCentroid(shown) });
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
        <IconButton
          icon="add"
          label="Zoom in"
          disabled={view.zoom === CLOSEST}
          onClick={() => zoomTo(view.zoom === 0 && shown !== undefined ? fitting(shown) : view.zoom + 1)}
        />
        <IconButton
          icon="minus"
          label="Zoom out"
          disabled={view.zoom === 0}
          onClick={() => zoomTo(view.zoom - 1)}
        />
      </div>
      {shown === undefined && (
        <figcaption class="hint">Not a valid geometry. Positions are [longitude, latitude].</figcaption>
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
function firstView(shape: Geometry | undefined): View {
  if (shape === undefined) return WORLD;
  const centre = geoCentroid(shape);
  const zoom = Math.max(0, fitting(shape) - 2);
  return zoom === 0 || centre.every((degrees) => degrees === 0) ? WORLD : { zoom, centre };
}

/** The first step in: so close that all of the shape is seen, and something around it. */
function fitting(shape: Geometry): number {
  const [[west, south], [east, north]] = geoBounds(shape);
  const span = Math.max((east - west + 360) % 360, 2 * (north - south), 10);
  return Math.max(1, Math.min(CLOSEST, Math.floor(Math.log2(240 / span))));
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(CLICKED_DIGITS));
}

/** GeoJSON that can be drawn. */
type Geometry = Exclude<GeoGeometryObjects, { readonly type: 'Sphere' }>;
type Polygon = Extract<Geometry, { readonly type: 'Polygon' }>;
type Rings = Polygon['coordinates'];

const DEPTH: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** How many collections may stand in each other, as in filters. */
const DEEPEST = 8;

/** The geometry of a value, or undefined where nothing can be drawn. */
function geometryOf(json: Json, depth = 0): Geometry | undefined {
  if (!isMembers(json) || depth > DEEPEST) return undefined;
  const { type, coordinates, geometries } = json;
  if (type === 'GeometryCollection' && isItems(geometries)) {
    const parts = geometries.map((each) => geometryOf(each, depth + 1));
    return parts.every((part) => part !== undefined) ? { type, geometries: parts } : undefined;
  }
  const levels = typeof type === 'string' && Object.hasOwn(DEPTH, type) ? DEPTH[type] : undefined;
  if (levels === undefined || !hasPositions(coordinates, levels)) return undefined;
  // The type and the depth of its positions make it a geometry.
  return wound({ type, coordinates } as Exclude<Geometry, { type: 'GeometryCollection' }>);
}

function hasPositions(json: Json | undefined, levels: number): boolean {
  if (!isItems(json) || json.length === 0) return false;
  if (levels > 0) return json.every((each) => hasPositions(each, levels - 1));
  const [longitude, latitude] = json;
  return isWithin(longitude, 180) && isWithin(latitude, 90);
}

function isWithin(json: Json | undefined, most: number): boolean {
  return typeof json === 'number' && Math.abs(json) <= most;
}

/** A polygon is the smaller of the two areas of its ring, whichever way round it is written (docs/geo.md). */
function wound(geometry: Exclude<Geometry, { type: 'GeometryCollection' }>): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: woundRings(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon')
    return { ...geometry, coordinates: geometry.coordinates.map(woundRings) };
  return geometry;
}

function woundRings(rings: Rings): Rings {
  return rings.map((ring, index) => {
    const alone: Polygon = { type: 'Polygon', coordinates: [ring] };
    const isLarger = geoArea(alone) > 2 * Math.PI;
    return isLarger === (index === 0) ? ring.toReversed() : ring;
  });
}
