/**
 * The works of a run by hand: what somebody would write who knows these works beforehand and needs nothing else. Plain
 * tables, their indexes declared, a statement or two for each work. The number of all documents is a row that creations
 * change; nothing else is kept between two requests.
 */
import { RpcTarget } from 'cloudflare:workers';
import { PAGE } from '../contender.ts';
import { bandOf, EARTH_RADIUS, metersBetween, stripsAround, type Position } from './around.ts';

/** A resource object, as far as columns are made of it. */
interface Resource {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { readonly data: { readonly id: string } }>>;
}

interface Place extends Resource {
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly batch: string;
    readonly rank: number;
    readonly location: { readonly coordinates: Position };
  };
}

/** Numbers of products and of a wallet, and what they cost. */
export interface Order {
  readonly products: readonly number[];
  readonly wallet: number;
  readonly total: number;
}

/** A page of a list: resource objects in JSON, with commas between them. */
export interface Page {
  readonly count: number;
  readonly data: string;
  readonly included?: string;
}

/** The parameters of a request. */
export type Query = Readonly<Record<string, string>>;

const TABLES = `
  CREATE TABLE IF NOT EXISTS places (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, batch TEXT NOT NULL,
    rank INTEGER NOT NULL, band INTEGER NOT NULL, longitude REAL NOT NULL, latitude REAL NOT NULL,
    author TEXT NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS authors (id TEXT PRIMARY KEY, country TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS countries (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS totals (places INTEGER NOT NULL);
  INSERT INTO totals SELECT 0 WHERE NOT EXISTS (SELECT * FROM totals);
  CREATE TABLE IF NOT EXISTS products (number INTEGER PRIMARY KEY, stock INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS wallets (number INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS orders (key INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS ledger (key INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS notes (key INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS rights (holder TEXT, note INTEGER, PRIMARY KEY (holder, note)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (content, content = '', tokenize = 'unicode61')`;

const INDEXES = `
  CREATE INDEX IF NOT EXISTS by_batch ON places (batch);
  CREATE INDEX IF NOT EXISTS by_rank ON places (rank);
  CREATE INDEX IF NOT EXISTS by_location ON places (band, longitude, latitude)`;

/** Bare, SQLite would plan the statement again for each value. */
const OFFSET = 'OFFSET ? + 0';

export class Hand extends RpcTarget {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    super();
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(TABLES);
  }

  /** Once the documents are there: entries are sorted first then. */
  declareIndexes(): void {
    this.#sql.exec(INDEXES);
  }

  list(): Page {
    return {
      count: this.#countAll(),
      data: this.#bodies(`SELECT body FROM places ORDER BY key LIMIT ${PAGE}`),
    };
  }

  selective({ batch = '' }: Query): Page {
    return {
      count: this.#number('SELECT count(*) AS n FROM places WHERE batch = ?', batch),
      data: this.#bodies(`SELECT body FROM places WHERE batch = ? ORDER BY key LIMIT ${PAGE}`, batch),
    };
  }

  /** In the order of creation: the plus keeps SQLite from sorting all matches, which are many. */
  broad({ from = '', to = '' }: Query): Page {
    const range = [Number(from), Number(to)];
    return {
      count: this.#number('SELECT count(*) AS n FROM places WHERE rank >= ? AND rank < ?', ...range),
      data: this.#bodies(
        `SELECT body FROM places WHERE +rank >= ? AND +rank < ? ORDER BY key LIMIT ${PAGE}`,
        ...range,
      ),
    };
  }

  sorted({ offset = '' }: Query): Page {
    const data = `SELECT body FROM places ORDER BY rank, key LIMIT ${PAGE} ${OFFSET}`;
    return { count: this.#countAll(), data: this.#bodies(data, Number(offset)) };
  }

  text({ word = '' }: Query): Page {
    return {
      count: this.#number('SELECT count(*) AS n FROM words WHERE words MATCH ?', word),
      data: this.#bodies(
        `SELECT body FROM places WHERE key IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ${PAGE})
         ORDER BY key`,
        word,
      ),
    };
  }

  /** The 20 nearest: the radius is doubled until so many lie within. */
  near({ longitude = '', latitude = '' }: Query): Page {
    const count = this.#countAll();
    const at: Position = [Number(longitude), Number(latitude)];
    // Evenly strewn, twice as many would lie within the first one.
    let radius = EARTH_RADIUS * Math.sqrt((4 * 2 * PAGE) / Math.max(count, 1));
    let found = this.#within(at, radius);
    while (found.length < Math.min(PAGE, count)) {
      radius *= 2;
      found = this.#within(at, radius);
    }
    return { count, data: this.#nearest(found) };
  }

  within({ longitude = '', latitude = '', most = '' }: Query): Page {
    const found = this.#within([Number(longitude), Number(latitude)], Number(most));
    return { count: found.length, data: this.#nearest(found) };
  }

  /** The offset goes through an index, which has many more entries on a page than the table. */
  include({ offset = '' }: Query): Page {
    const places = this.#sql
      .exec<{ body: string; author: string }>(
        `SELECT body, author FROM places
         WHERE key IN (SELECT key FROM places ORDER BY id LIMIT ${PAGE} ${OFFSET}) ORDER BY key`,
        Number(offset),
      )
      .toArray();
    const authors = this.#sql
      .exec<{ body: string; country: string }>(
        'SELECT body, country FROM authors WHERE id IN (SELECT value FROM json_each(?))',
        listOf(places.map(({ author }) => author)),
      )
      .toArray();
    const countries = this.#sql
      .exec<{ body: string }>(
        'SELECT body FROM countries WHERE id IN (SELECT value FROM json_each(?))',
        listOf(authors.map(({ country }) => country)),
      )
      .toArray();
    return {
      count: this.#countAll(),
      data: joined(places),
      included: joined([...authors, ...countries]),
    };
  }

  readable({ holder = '' }: Query): Page {
    return {
      count: this.#number('SELECT count(*) AS n FROM rights WHERE holder = ?', holder),
      data: this.#bodies(
        `SELECT body FROM rights JOIN notes ON key = note WHERE holder = ? ORDER BY note LIMIT ${PAGE}`,
        holder,
      ),
    };
  }

  create(resource: string): void {
    this.#storage.transactionSync(() => this.#insert(resource, JSON.parse(resource) as Place));
  }

  /** Merges attributes in, if the version still is the one given. The new version, or null. */
  update(id: string, version: number, attributes: string): number | null {
    const [row] = this.#sql
      .exec<{ version: number }>(
        `UPDATE places SET body = json_patch(body, ?), version = version + 1
         WHERE id = ? AND version = ? RETURNING version`,
        `{"attributes":${attributes}}`,
        id,
        version,
      )
      .toArray();
    return row?.version ?? null;
  }

  /** Takes products from the stock and their price from a wallet, and notes both, all or none. */
  order({ products, wallet, total }: Order): void {
    this.#storage.transactionSync(() => {
      for (const product of products) {
        this.#sql.exec(
          'INSERT INTO products VALUES (?, 1e9) ON CONFLICT DO UPDATE SET stock = stock - 1',
          product,
        );
      }
      this.#sql.exec(
        'INSERT INTO wallets VALUES (?, 1e9) ON CONFLICT DO UPDATE SET balance = balance - ?',
        wallet,
        total,
      );
      this.#sql.exec('INSERT INTO orders (body) VALUES (?)', JSON.stringify({ total }));
      this.#sql.exec('INSERT INTO ledger (body) VALUES (?)', JSON.stringify({ amount: -total }));
    });
  }

  /** Places in an array of JSON, and as many notes: each `share`th is the reader's, the others are another's. */
  createPlaces(array: string, share: number): void {
    const places = JSON.parse(array) as readonly Place[];
    this.#storage.transactionSync(() => {
      for (const place of places) {
        const key = this.#insert(JSON.stringify(place), place);
        const note = JSON.stringify({ ...place, type: 'notes', relationships: undefined });
        this.#sql.exec('INSERT INTO notes VALUES (?, ?)', key, note);
        this.#sql.exec('INSERT INTO rights VALUES (?, ?)', key % share === 0 ? 'reader' : 'other', key);
      }
    });
  }

  createAuthors(array: string): void {
    const country = '$.relationships.country.data.id';
    this.#sql.exec(
      `INSERT INTO authors SELECT value ->> 'id', value ->> '${country}', value FROM json_each(?)`,
      array,
    );
  }

  createCountries(array: string): void {
    this.#sql.exec("INSERT INTO countries SELECT value ->> 'id', value FROM json_each(?)", array);
  }

  /** The key of the new place. */
  #insert(body: string, { id, attributes, relationships }: Place): number {
    const [longitude, latitude] = attributes.location.coordinates;
    const { key } = this.#sql
      .exec<{ key: number }>(
        `INSERT INTO places (id, version, batch, rank, band, longitude, latitude, author, body)
         VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
        id,
        attributes.batch,
        attributes.rank,
        bandOf(latitude),
        longitude,
        latitude,
        relationships['author']?.data.id ?? '',
        body,
      )
      .one();
    this.#sql.exec('UPDATE totals SET places = places + 1');
    this.#sql.exec('INSERT INTO words (rowid, content) VALUES (?, ?)', key, stringsOf(attributes));
    return key;
  }

  /** Keys of the places within so many meters, nearest first. */
  #within(at: Position, meters: number): readonly number[] {
    return this.#sql
      .exec<{ key: number; longitude: number; latitude: number }>(
        `SELECT places.key AS key, longitude, latitude FROM json_each(?) AS strip CROSS JOIN places
         WHERE band = strip.value ->> 0 AND longitude BETWEEN strip.value ->> 1 AND strip.value ->> 2`,
        JSON.stringify(stripsAround(at, meters)),
      )
      .toArray()
      .map(({ key, longitude, latitude }) => ({ key, away: metersBetween(at, [longitude, latitude]) }))
      .filter(({ away }) => away <= meters)
      .toSorted((one, other) => one.away - other.away)
      .map(({ key }) => key);
  }

  #nearest(keys: readonly number[]): string {
    return this.#bodies(
      'SELECT body FROM json_each(?) AS nearest CROSS JOIN places ON places.key = nearest.value ORDER BY nearest.key',
      JSON.stringify(keys.slice(0, PAGE)),
    );
  }

  #countAll(): number {
    return this.#number('SELECT places AS n FROM totals');
  }

  #number(statement: string, ...parameters: SqlStorageValue[]): number {
    return this.#sql.exec<{ n: number }>(statement, ...parameters).one().n;
  }

  #bodies(statement: string, ...parameters: SqlStorageValue[]): string {
    return joined(this.#sql.exec<{ body: string }>(statement, ...parameters).toArray());
  }
}

function joined(rows: readonly { readonly body: string }[]): string {
  return rows.map(({ body }) => body).join(',');
}

/** In JSON, each once. */
function listOf(ids: readonly string[]): string {
  return JSON.stringify([...new Set(ids)]);
}

/** Every string at any depth, as our own text search has it. */
function stringsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map(stringsOf)
    .filter((text) => text !== '')
    .join(' ');
}
