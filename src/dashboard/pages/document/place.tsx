/** GeoJSON: its coordinates, and a map. A point is two numbers or a click; other geometries are JSON in their place. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { Button } from '../../parts/button.tsx';
import { isItems, isMembers } from '../../parts/json.ts';
import { ScalarControl, type ControlProps } from './controls.tsx';
import type WorldMap from './map.tsx';

type MapProps = Parameters<typeof WorldMap>[0];

interface PlaceProps extends ControlProps {
  /** The geometry as JSON. */
  readonly asText: ComponentChildren;
}

export function Place(props: PlaceProps) {
  const { value, onValue, label, isReadOnly, asText } = props;
  const [Drawn, setDrawn] = useState<{ readonly Shown: ComponentType<MapProps> }>();
  useEffect(() => {
    void import('./map.tsx').then(({ default: Shown }) => {
      setDrawn({ Shown });
    });
  }, []);
  const [asJson, setAsJson] = useState(false);
  const position = positionOf(value);
  const set = (longitude: Json, latitude: Json) => {
    if (isMembers(value) && isItems(value['coordinates']))
      onValue({ ...value, coordinates: [longitude, latitude, ...value['coordinates'].slice(2)] });
  };
  const degrees = (name: string, number: Json, onNumber: (number: Json) => void) => {
    const id = `${props.ties.id}-${name}`;
    return (
      <div class="field">
        <label for={id}>{name}</label>
        <ScalarControl {...props} value={number} onValue={onNumber} ties={{ id }} />
      </div>
    );
  };
  return (
    <div class="stack">
      {position !== undefined && (
        <Button
          look="link"
          label={asJson ? `${label} as numbers` : `${label} as JSON`}
          onClick={() => {
            setAsJson(!asJson);
          }}
        >
          {asJson ? 'As numbers' : 'As JSON'}
        </Button>
      )}
      {position === undefined || asJson ? (
        asText
      ) : (
        <div class="across">
          {degrees('Longitude', position[0], (longitude) => {
            set(longitude, position[1]);
          })}
          {degrees('Latitude', position[1], (latitude) => {
            set(position[0], latitude);
          })}
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

/** The two numbers of a point. */
function positionOf(value: Json): readonly [Json, Json] | undefined {
  if (!isMembers(value) || value['type'] !== 'Point') return undefined;
  const { coordinates } = value;
  if (!isItems(coordinates)) return undefined;
  const [longitude, latitude] = coordinates;
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined;
}
