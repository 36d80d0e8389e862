/** A chart: bars or lines over labels, drawn on a canvas in the colours of the theme. */
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { colourOf } from '../../../parts/colour.ts';

const HEIGHT = 320;
/** Colours of the series, by the names that the theme gives them. */
const COLOURS = ['--accent', '--number', '--good', '--warn', '--word', '--gilt'];
/** The part of the room between two labels that bars take. */
const GROUP = 0.76;
/** How much of a label stands at an axis. */
const LONGEST = 14;

interface ChartProps {
  readonly shape: 'bars' | 'lines';
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

export default function Chart({ shape, labels, series }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify([shape, labels, series]);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const draw = () =>
      new UPlot(optionsOf(element, { shape, labels, series }), dataOf(labels, series), element);
    let plot = draw();
    const again = () => {
      plot.destroy();
      plot = draw();
    };
    // Another width, and another theme: colours are of the canvas, and not of the sheet.
    const sizes = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    sizes.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', again);
    const themes = new MutationObserver(again);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener('change', again);
      plot.destroy();
    };
  }, [drawn]);
  const words = `A chart of ${series.map(({ name }) => name).join(', ')} over ${labels.length} labels. The table has its numbers.`;
  return <div class="result-chart" ref={host} role="img" aria-label={words} />;
}

function dataOf(labels: ChartProps['labels'], series: ChartProps['series']): UPlot.AlignedData {
  return [labels.map((_, index) => index), ...series.map(({ values }) => [...values])];
}

function optionsOf(element: HTMLElement, { shape, labels, series }: ChartProps): UPlot.Options {
  const style = getComputedStyle(element);
  const axis = {
    stroke: colourOf('--soft'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { stroke: colourOf('--line'), width: 1 },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: { x: { time: false, range: () => [-0.6, labels.length - 0.4] } },
    cursor: { drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        space: 100,
        incrs: [1, 2, 5, 10, 20, 50, 100],
        values: (_, splits) => splits.map((at) => short(labels[at] ?? '')),
      },
      { ...axis, size: 70 },
    ],
    series: [
      { label: 'at', value: (_, at) => labels[at] ?? '' },
      ...series.map(({ name }, index) => {
        const bars = barsOf(index, series.length, labels.length);
        const stroke = colourOf(COLOURS[index % COLOURS.length] ?? '--accent');
        return {
          label: name,
          stroke,
          width: 2,
          ...(shape === 'bars' &&
            bars !== undefined && { fill: stroke, width: 0, paths: bars, points: { show: false } }),
        };
      }),
    ],
  };
}

/** Bars of several series stand side by side at their label. */
function barsOf(index: number, of: number, labels: number) {
  // One label has no neighbour to measure the room of a bar by.
  if (labels === 1) return UPlot.paths.bars?.({ size: [0.6, 60] });
  const width = GROUP / of;
  return UPlot.paths.bars?.({
    size: [1, Infinity],
    disp: {
      x0: {
        unit: 1,
        values: () => Array.from({ length: labels }, (_, at) => at - GROUP / 2 + index * width),
      },
      size: { unit: 1, values: () => Array.from({ length: labels }, () => width) },
    },
  });
}

function short(label: string): string {
  return label.length > LONGEST ? `${label.slice(0, LONGEST)}…` : label;
}
