/** Lines or bars over times or labels, drawn by uPlot in the colours of the theme. A table beside says the same. */
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { cut } from './words.tsx';

interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A custom property of the theme. */
  readonly colour: string;
}

interface ChartProps {
  /** What stands above; without it `words` alone say what is drawn. */
  readonly title?: string;
  readonly words?: string;
  readonly class: string;
  readonly height: number;
  readonly shape?: 'bars' | 'lines';
  /** Seconds since 1970, or texts. */
  readonly along: { readonly times: readonly number[] } | { readonly labels: readonly string[] };
  readonly series: readonly Series[];
}

export function Chart(props: ChartProps) {
  const { title, words, class: name, height, shape, along, series } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const drawn = JSON.stringify([shape, 'labels' in along && along.labels, series.map((each) => each.name)]);
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    void import('uplot').then(({ default: Plot }) => {
      const element = host.current;
      if (signal.aborted || element === null) return;
      const made = new Plot(optionsOf(Plot, element, latest.current), dataOf(latest.current), element);
      plot.current = made;
      const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
      sizes.observe(element);
      // Colours are of the canvas, and not of the sheet: another theme draws anew.
      const redraw = () => made.redraw();
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal });
      const themes = new MutationObserver(redraw);
      themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
      signal.addEventListener('abort', () => {
        sizes.disconnect();
        themes.disconnect();
        made.destroy();
        plot.current = undefined;
      });
    });
    return () => control.abort();
  }, [drawn]);
  const data = dataOf(props);
  useEffect(() => plot.current?.setData(data), [JSON.stringify(data)]);
  return (
    <figure class={name}>
      {title !== undefined && <figcaption>{title}</figcaption>}
      <div ref={host} {...(words !== undefined && { role: 'img', 'aria-label': words })} />
    </figure>
  );
}

function dataOf({ along, series }: ChartProps): uPlot.AlignedData {
  const at = 'times' in along ? [...along.times] : along.labels.map((_, index) => index);
  return [at, ...series.map(({ values }) => [...values])];
}

function optionsOf(Plot: typeof uPlot, element: HTMLElement, props: ChartProps): uPlot.Options {
  const { along, series, shape, height } = props;
  const line = { stroke: () => colourOf('--line'), width: 1 };
  const axis = {
    stroke: () => colourOf('--soft'),
    grid: line,
    ticks: line,
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
  const common = { width: element.clientWidth, height, cursor: { drag: { x: false, y: false } } };
  const drawn = series.map(({ name, colour }) => ({ label: name, stroke: () => colourOf(colour), width: 2 }));
  if ('times' in along) {
    const value = (_: uPlot, number: number | null) => (number === null ? '' : number.toFixed(1));
    return {
      ...common,
      axes: [axis, axis],
      series: [{}, ...drawn.map((each) => ({ ...each, width: 1.5, points: { show: false }, value }))],
      scales: { y: { range: (_, __, high) => [0, Math.max(1, high * 1.1)] } },
    };
  }
  const { labels } = along;
  const texts = (_: uPlot, splits: number[]) => splits.map((at) => cut(labels[at] ?? '', LONGEST));
  const barred = drawn.map((each, index) => {
    const paths = barsOf(Plot, index, series.length, labels.length);
    return { ...each, ...(paths && { fill: each.stroke, width: 0, paths, points: { show: false } }) };
  });
  return {
    ...common,
    axes: [
      { ...axis, space: 100, incrs: [1, 2, 5, 10, 20, 50, 100], values: texts },
      { ...axis, size: 70 },
    ],
    series: [{ label: 'at', value: (_, at) => labels[at] ?? '' }, ...(shape === 'bars' ? barred : drawn)],
    scales: { x: { time: false, range: () => [-0.6, labels.length - 0.4] } },
  };
}

/** How much of a label stands at an axis. */
const LONGEST = 14;
/** The part of the room between two labels that bars take. */
const GROUP = 0.76;

/** Bars of several series stand side by side at their label. */
function barsOf(Plot: typeof uPlot, index: number, of: number, labels: number) {
  // One label has no neighbour to measure the room of a bar by.
  if (labels === 1) return Plot.paths.bars?.({ size: [0.6, 60] });
  const width = GROUP / of;
  const all = (value: (at: number) => number) => ({
    unit: 1 as const,
    values: () => Array.from({ length: labels }, (_, at) => value(at)),
  });
  return Plot.paths.bars?.({
    size: [1, Infinity],
    disp: { x0: all((at) => at - GROUP / 2 + index * width), size: all(() => width) },
  });
}

/** A colour of the theme: drawings know no custom properties. */
function colourOf(property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
