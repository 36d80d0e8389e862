/** The films and cars of vega-datasets as documents to create, with what links them. Pure. */

export interface Link {
  readonly type: string;
  /** The key of the draft that it leads to. */
  readonly key: string;
}

/** A document that is to be created. */
export interface Draft extends Link {
  /** 0 for what links to nothing, else one more than what it links to. */
  readonly level: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, Link>>;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Directors and distributors, then the films. */
export function movieDrafts(data: unknown): readonly Draft[] {
  const rows = data as readonly Row[];
  return [
    ...named('directors', rows, 'Director'),
    ...named('distributors', rows, 'Distributor'),
    ...rows.map((row, index) => movieDraft(row, index)),
  ];
}

/** Regions, makers at home in them, then the cars. */
export function carDrafts(data: unknown): readonly Draft[] {
  const rows = data as readonly Row[];
  const makers = new Map(rows.map((row) => [makerOf(row), textOf(row, 'Origin')]));
  return [
    ...named('regions', rows, 'Origin'),
    ...Array.from(makers, ([name, region]) => ({
      ...draft('makers', name, { name }, { region: linkTo('regions', region) }),
      level: 1,
    })),
    ...rows.map((row, index) => carDraft(row, index)),
  ];
}

function movieDraft(row: Row, index: number): Draft {
  const attributes = {
    title: row['Title'] === null ? null : textOf(row, 'Title'),
    released: { $date: releaseDateOf(textOf(row, 'Release Date')) },
    genre: row['Major Genre'],
    creativeType: row['Creative Type'],
    source: row['Source'],
    rating: row['MPAA Rating'],
    minutes: row['Running Time min'],
    budget: row['Production Budget'],
    grossUs: row['US Gross'],
    grossWorldwide: row['Worldwide Gross'],
    imdb: row['IMDB Rating'],
    imdbVotes: row['IMDB Votes'],
    tomatoes: row['Rotten Tomatoes Rating'],
  };
  const links = {
    director: linkTo('directors', textOf(row, 'Director')),
    distributor: linkTo('distributors', textOf(row, 'Distributor')),
  };
  return { ...draft('movies', String(index), attributes, links), level: 1 };
}

function carDraft(row: Row, index: number): Draft {
  const attributes = {
    name: row['Name'],
    year: { $date: textOf(row, 'Year') },
    milesPerGallon: row['Miles_per_Gallon'],
    cylinders: row['Cylinders'],
    displacement: row['Displacement'],
    horsepower: row['Horsepower'],
    pounds: row['Weight_in_lbs'],
    acceleration: row['Acceleration'],
  };
  return { ...draft('cars', String(index), attributes, { maker: linkTo('makers', makerOf(row)) }), level: 2 };
}

/** One document for each distinct name in a column. */
function named(type: string, rows: readonly Row[], column: string): readonly Draft[] {
  const names = new Set(rows.map((row) => textOf(row, column)).filter((name) => name !== ''));
  return Array.from(names, (name) => draft(type, name, { name }, {}));
}

/** Leaves out what the data do not know. */
function draft(
  type: string,
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  links: Readonly<Record<string, Link | null>>,
): Draft {
  return {
    ...keyed(type, name),
    level: 0,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined),
    ),
    links: Object.fromEntries(
      Object.entries(links).flatMap(([relationship, link]) => (link === null ? [] : [[relationship, link]])),
    ),
  };
}

function linkTo(type: string, name: string): Link | null {
  return name === '' ? null : keyed(type, name);
}

function keyed(type: string, name: string): Link {
  return { type, key: `${type}/${name}` };
}

function textOf(row: Row, column: string): string {
  return String(row[column] ?? '');
}

/** `Jun 12 1998` as an ISO date. The data end in 2011; the later years in them are a century too late. */
function releaseDateOf(text: string): string {
  const [month = '', day = '', year = ''] = text.split(' ');
  const number = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(month) / 3 + 1;
  const century = Number(year) > 2011 ? Number(year) - 100 : Number(year);
  return `${century}-${String(number).padStart(2, '0')}-${day}`;
}

/** Makers as the names of cars misspell or shorten them. */
const MAKERS: Readonly<Record<string, string>> = {
  capri: 'ford',
  chevroelt: 'chevrolet',
  chevy: 'chevrolet',
  hi: 'international harvester',
  maxda: 'mazda',
  mercedes: 'mercedes-benz',
  toyouta: 'toyota',
  vokswagen: 'volkswagen',
  vw: 'volkswagen',
};

function makerOf(row: Row): string {
  const [first = ''] = textOf(row, 'Name').split(' ');
  return MAKERS[first] ?? first;
}
