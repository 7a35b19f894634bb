import { type CliError, itemErrorOf as errorOfItem, type ItemError } from '../../errors.ts';
import { kafkaItemError } from '../errors.ts';
import type { Api } from '../protocol/api.ts';
import type { Target } from './targets.ts';

/** What every item of an answer has. */
export interface CodedRow {
  /** 0: no error. */
  readonly errorCode: number;
  /** The broker's own words, where it has any. */
  readonly errorMessage?: string | undefined;
}

/** One item on its way to the broker that answers for it. */
export interface Located<Item> {
  readonly item: Item;
  /** The epoch in which a partition is led; -1 where it is not known. */
  readonly leaderEpoch: number;
}

/** How many items are asked about with as few requests as brokers allow. */
export interface Question<Item, Row> {
  /** For messages: `the offsets of topic "foo" partition 3`. */
  what(item: Item): string;
  /** Who answers for the item. */
  target(item: Item): Target;
  /** Sends one request for items of one broker. */
  send(exchange: Exchange, items: readonly Located<Item>[]): Promise<Answered<Item, Row>>;
  /** A partition that has no leader is an outcome at once; left out, it is asked about again by the retry rule. */
  readonly reportsLeaderless?: boolean;
  /** Whether asking twice does no harm. */
  readonly api: Pick<Api<never, unknown>, 'name' | 'repeatable'>;
}

/** One request to the broker that a question is put to; one try. */
export type Exchange = <Request, Response>(api: Api<Request, Response>, request: Request) => Promise<Response>;

/** What a broker answered: the code of the whole, and a row for each item. */
export interface Answered<Item, Row> {
  /** Of the whole answer; 0: no error. */
  readonly errorCode: number;
  /** The row of an item; undefined when the answer leaves it out. */
  rowOf(item: Item): (Row & CodedRow) | undefined;
}

/** What became of one item: the broker's row (which may have an error code), or why there is none. */
export interface Outcome<Item, Row> {
  readonly item: Item;
  /** What the broker said last about the item; undefined when it said nothing. */
  readonly row: (Row & CodedRow) | undefined;
  /** Undefined when all went well. */
  readonly error: CliError | undefined;
}

/** A kind of question as an API file declares it. */
export interface QuestionParts<Item, Request, Response, Row extends CodedRow>
  extends Pick<Question<Item, Row>, 'what' | 'target' | 'reportsLeaderless'> {
  readonly api: Api<Request, Response>;
  /** Names an item as its row is named. */
  keyOf(item: Item): string;
  request(items: readonly Located<Item>[]): Request;
  /** The rows of an answer, each with the name of its item. */
  rows(response: Response): Iterable<readonly [key: string, row: Row]>;
}

/** Makes a question of its parts. */
export function questionOf<Item, Request, Response, Row extends CodedRow>(
  parts: QuestionParts<Item, Request, Response, Row>,
): Question<Item, Row> {
  const { api, keyOf } = parts;
  return {
    ...parts,
    async send(exchange, items) {
      const response = await exchange(api, parts.request(items));
      const rows = new Map(parts.rows(response));
      return { errorCode: api.errorCode?.(response) ?? 0, rowOf: (item) => rows.get(keyOf(item)) };
    },
  };
}

/** The failure of an item as rows show it; null when all went well. */
export function itemErrorOf<Item, Row>({ row, error }: Outcome<Item, Row>): ItemError | null {
  if (error === undefined) return null;
  if (row !== undefined && row.errorCode !== 0) return kafkaItemError(row.errorCode, row.errorMessage);
  return errorOfItem(error);
}

/**
 * Outcomes of which at least one comes from a broker.
 * @throws CliError where none does: what kept every item from being asked about is one failure, not one for each
 */
export function answered<Item, Row>(outcomes: readonly Outcome<Item, Row>[]): readonly Outcome<Item, Row>[] {
  const [first] = outcomes;
  if (first?.error !== undefined && outcomes.every(({ row }) => row === undefined)) throw first.error;
  return outcomes;
}
