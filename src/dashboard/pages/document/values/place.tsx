/** GeoJSON: its coordinates, and a map. A point is two numbers or a click; other geometries are JSON in their place. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Json } from '../../../../client/values.ts';
import type WorldMap from '../geometry/map.tsx';
import { InPlace } from './in-place.tsx';
import { isItems, isMembers } from './kinds.ts';
import type { ControlProps } from './props.ts';
import { ScalarControl } from './scalars.tsx';

export function Place(props: ControlProps & { readonly pointer: string }) {
  const { value, onValue, label, isReadOnly } = props;
  const [Drawn, setDrawn] = useState<{ readonly Shown: ComponentType<MapProps> }>();
  useEffect(() => {
    void import('../geometry/map.tsx').then(({ default: Shown }) => {
      setDrawn({ Shown });
    });
  }, []);
  const [asJson, setAsJson] = useState(false);
  const position = positionOf(value);
  const point = asJson ? undefined : position;
  const set = (longitude: Json, latitude: Json) => {
    if (isMembers(value) && isItems(value['coordinates']))
      onValue({ ...value, coordinates: [longitude, latitude, ...value['coordinates'].slice(2)] });
  };
  return (
    <div class="place">
      {position !== undefined && (
        <button
          class="link"
          type="button"
          aria-label={asJson ? `${label} as numbers` : `${label} as JSON`}
          onClick={() => {
            setAsJson(!asJson);
          }}
        >
          {asJson ? 'As numbers' : 'As JSON'}
        </button>
      )}
      {point === undefined ? (
        <InPlace {...props} />
      ) : (
        <div class="position">
          <Degrees
            {...props}
            name="Longitude"
            value={point[0]}
            onValue={(longitude) => {
              set(longitude, point[1]);
            }}
          />
          <Degrees
            {...props}
            name="Latitude"
            value={point[1]}
            onValue={(latitude) => {
              set(point[0], latitude);
            }}
          />
        </div>
      )}
      {Drawn !== undefined && (
        <Drawn.Shown
          value={value}
          label={label}
          onPosition={position === undefined || isReadOnly ? undefined : set}
        />
      )}
    </div>
  );
}

type MapProps = Parameters<typeof WorldMap>[0];

function Degrees({ name, ties, ...props }: ControlProps & { readonly name: string }) {
  const id = `${ties.id}-${name}`;
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <ScalarControl {...props} ties={{ id }} />
    </div>
  );
}

/** The two numbers of a point. */
function positionOf(value: Json): readonly [Json, Json] | undefined {
  if (!isMembers(value) || value['type'] !== 'Point') return undefined;
  const { coordinates } = value;
  if (!isItems(coordinates)) return undefined;
  const [longitude, latitude] = coordinates;
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined;
}
