import { type CliError, itemErrorOf as errorOfItem, type ItemError } from '../../errors.ts';
import { kafkaItemError } from '../errors.ts';
import type { Api } from '../protocol/api.ts';
import type { Target } from './targets.ts';

/** The fields that every row of an answer has. */
export interface CodedRow {
  /** 0: no error. */
  readonly errorCode: number;
  /** The broker's own error text, if it sent one. */
  readonly errorMessage?: string | undefined;
}

/** An item, located at the broker that answers for it. */
export interface Located<Item> {
  readonly item: Item;
  /** The leader epoch of a partition; -1 when unknown. */
  readonly leaderEpoch: number;
}

/** Defines how to ask about many items with as few requests as possible. */
export interface Question<Item, Row> {
  /** What is done for the item, for messages: `read the offsets of topic "foo" partition 3`. */
  what(item: Item): string;
  /** The target that answers for the item. */
  target(item: Item): Target;
  /** Sends one request for the items of one broker. */
  send(exchange: Exchange, items: readonly Located<Item>[]): Promise<Answered<Item, Row>>;
  /** Reports a partition without a leader at once; by default the retry rule applies to it. */
  readonly reportsLeaderless?: boolean;
  /** The API, with its name for messages, whether its requests may be repeated, and whether they change the cluster. */
  readonly api: Pick<Api<never, unknown>, 'name' | 'repeatable' | 'changes'>;
}

/** Sends one request to the broker of a question, without retries. */
export type Exchange = <Request, Response>(api: Api<Request, Response>, request: Request) => Promise<Response>;

/** A broker's answer: one error code for the whole answer and a row for each item. */
export interface Answered<Item, Row> {
  /** The error code of the whole answer; 0: no error. */
  readonly errorCode: number;
  /** The row of an item; undefined when the answer leaves it out. */
  rowOf(item: Item): (Row & CodedRow) | undefined;
}

/** The result for one item: the broker's row (which may have an error code), or the error that prevented one. */
export interface Outcome<Item, Row> {
  readonly item: Item;
  /** The broker's last row for the item; undefined when it sent none. */
  readonly row: (Row & CodedRow) | undefined;
  /** Undefined on success. */
  readonly error: CliError | undefined;
  /** The broker that was last asked; absent if that was any broker, or none. */
  readonly node?: number;
}

/** The parts of a question about the items of one API. */
export interface QuestionParts<Item, Request, Response, Row extends CodedRow>
  extends Pick<Question<Item, Row>, 'what' | 'target' | 'reportsLeaderless'> {
  readonly api: Api<Request, Response>;
  /** The key of an item, equal to the key of its row. */
  keyOf(item: Item): string;
  request(items: readonly Located<Item>[]): Request;
  /** The rows of an answer, each with the key of its item. */
  rows(response: Response): Iterable<readonly [key: string, row: Row]>;
}

/** Makes a question from its parts. */
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

/** The parts of a question whose answer has a row for each item, in the order of the request. */
export type OrderedParts<Item, Request, Response, Row extends CodedRow> = Omit<
  QuestionParts<Item, Request, Response, Row>,
  'keyOf' | 'rows'
> & { rows(response: Response): readonly Row[] };

/** Makes a question from its parts, for APIs whose rows have no key. */
export function orderedQuestionOf<Item, Request, Response, Row extends CodedRow>(
  parts: OrderedParts<Item, Request, Response, Row>,
): Question<Item, Row> {
  return {
    ...parts,
    async send(exchange, items) {
      const response = await exchange(parts.api, parts.request(items));
      const answered = parts.rows(response);
      const rows = new Map(items.map(({ item }, at) => [item, answered[at]] as const));
      return { errorCode: parts.api.errorCode?.(response) ?? 0, rowOf: (item) => rows.get(item) };
    },
  };
}

/** The error of an outcome, in the form that rows show; null on success. */
export function itemErrorOf<Item, Row>({ row, error }: Outcome<Item, Row>): ItemError | null {
  if (error === undefined) return null;
  if (row !== undefined && row.errorCode !== 0) return kafkaItemError(row.errorCode, row.errorMessage);
  return errorOfItem(error);
}

/**
 * Returns the outcomes if a broker has answered for at least one item.
 * @throws CliError otherwise: a failure that affects every item is reported once, not once per item
 */
export function answered<Item, Row>(outcomes: readonly Outcome<Item, Row>[]): readonly Outcome<Item, Row>[] {
  const [first] = outcomes;
  if (first?.error !== undefined && outcomes.every(({ row }) => row === undefined)) throw first.error;
  return outcomes;
}
