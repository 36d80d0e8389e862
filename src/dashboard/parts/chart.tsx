/** Lines over time, drawn by uPlot. A table beside says the same in words where it matters. */
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { colourOf } from './colour.ts';

interface Line {
  readonly title: string;
  readonly values: readonly (number | null)[];
  /** The name of a custom property of the theme. */
  readonly colour: string;
}

interface ChartProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
}

const HEIGHT = 200;

export function Chart({ title, times, lines }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef<ChartProps>({ title, times, lines });
  latest.current = { title, times, lines };
  useEffect(() => {
    let isGone = false;
    let watcher: ResizeObserver | undefined;
    void import('uplot').then(({ default: Plot }) => {
      const element = host.current;
      if (isGone || element === null) return;
      const { lines: drawn } = latest.current;
      const made = new Plot(
        {
          width: element.clientWidth,
          height: HEIGHT,
          legend: { live: true },
          cursor: { drag: { x: false, y: false } },
          axes: [axis(), axis()],
          series: [
            {},
            ...drawn.map(({ title: label, colour }) => ({
              label,
              stroke: () => colourOf(colour),
              width: 1.5,
              points: { show: false },
              value: (_: uPlot, value: number | null) => (value === null ? '' : value.toFixed(1)),
            })),
          ],
          scales: { y: { range: (_, __, high) => [0, Math.max(1, high * 1.1)] } },
        },
        dataOf(latest.current),
        element,
      );
      plot.current = made;
      watcher = new ResizeObserver(() => {
        made.setSize({ width: element.clientWidth, height: HEIGHT });
      });
      watcher.observe(element);
    });
    return () => {
      isGone = true;
      watcher?.disconnect();
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData(dataOf({ title, times, lines }));
  });
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={host} />
    </figure>
  );
}

function axis(): uPlot.Axis {
  return {
    stroke: () => colourOf('--soft'),
    grid: { stroke: () => colourOf('--line'), width: 1 },
    ticks: { stroke: () => colourOf('--line'), width: 1 },
  };
}

function dataOf({ times, lines }: ChartProps): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}
