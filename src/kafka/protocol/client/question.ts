import { CliError, itemErrorOf as errorOfItem, exitCodes, type ItemError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { kafkaItemError } from '../errors.ts';
import type { Api } from '../wire/api.ts';
import { fixedTarget, type Target } from './targets.ts';

/** The fields that every row of an answer has. */
export interface CodedRow {
  /** 0: no error. */
  readonly errorCode: number;
  /** The broker's own error text, if it sent one. */
  readonly errorMessage?: string | undefined;
}

/** Reads the leader epoch of a partition that is asked about; -1 when unknown, and for other items. */
export type LeaderEpochOf<Item> = (item: Item) => number;

/** Defines how to ask about many items with as few requests as possible: one for the items of each broker. */
export interface Question<Item, Row> {
  /** The API of the request, in which its response is read. */
  readonly api: Api<unknown, unknown>;
  /** What is done for the item, for messages: `read the offsets of topic "foo" partition 3`. */
  what(item: Item): string;
  /** The target that answers for the item. */
  target(item: Item): Target;
  /** Makes one request for the items of one broker. */
  request(items: readonly Item[], leaderEpochOf: LeaderEpochOf<Item>): unknown;
  /** The rows of an answer, in the order of the items; undefined for those that it leaves out. */
  rows(response: unknown, items: readonly Item[]): readonly ((Row & CodedRow) | undefined)[];
  /** Reports a partition without a leader at once; by default the retry rule applies to it. */
  readonly reportsLeaderless?: boolean | undefined;
}

/** The result for one item: the broker's row (which may have an error code), or the error that prevented one. */
export interface Outcome<Item, Row> {
  readonly item: Item;
  /** The broker's row for the item; undefined when the last attempt brought none. */
  readonly row: (Row & CodedRow) | undefined;
  /** Undefined on success. */
  readonly error: CliError | undefined;
  /**
   * What the error's own text does not say: why the retry rule allowed no further attempt, with the limit, or that a
   * request that was cut short may have been carried out.
   */
  readonly ending?: string;
  /** The broker that was last asked; absent if that was any broker, or none. */
  readonly node?: number;
}

/** The parts of a question about the items of one API. */
export interface QuestionParts<Item, Request, Response, Row extends CodedRow>
  extends Pick<Question<Item, Row>, 'what' | 'reportsLeaderless'> {
  readonly api: Api<Request, Response>;
  /** Not needed for an API that the controller or any broker answers. */
  target?(item: Item): Target;
  /** The key of an item, equal to the key of its row. */
  keyOf(item: Item): string;
  request(items: readonly Item[], leaderEpochOf: LeaderEpochOf<Item>): Request;
  /** The rows of an answer, each with the key of its item. */
  rows(response: Response): Iterable<readonly [key: string, row: Row]>;
}

/** Makes a question from its parts. */
export function questionOf<Item, Request, Response, Row extends CodedRow>(
  parts: QuestionParts<Item, Request, Response, Row>,
): Question<Item, Row> {
  return askedWith(parts, (response, items) => {
    const rows = rowsByKey(parts.rows(response));
    return items.map((item) => rows.get(parts.keyOf(item)));
  });
}

/** Of two rows for the same item, one with an error counts: the item did not succeed for certain. */
function rowsByKey<Row extends CodedRow>(rows: Iterable<readonly [key: string, row: Row]>): ReadonlyMap<string, Row> {
  const byKey = new Map<string, Row>();
  for (const [key, row] of rows) if ((byKey.get(key)?.errorCode ?? 0) === 0) byKey.set(key, row);
  return byKey;
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
  return askedWith(parts, (response, items) => {
    const rows = parts.rows(response);
    if (rows.length !== items.length) throw miscounted(parts.api.name, rows.length, items.length);
    return rows;
  });
}

/** Only the types of the messages are lost: a question makes and reads those of its own API. */
function askedWith<Item, Request, Response, Row extends CodedRow>(
  {
    api,
    what,
    target,
    request,
    reportsLeaderless,
  }: Omit<QuestionParts<Item, Request, Response, Row>, 'keyOf' | 'rows'>,
  rows: (response: Response, items: readonly Item[]) => readonly (Row | undefined)[],
): Question<Item, Row> {
  return {
    api: api as Api<unknown, unknown>,
    what,
    target: target ?? (() => fixedTarget(api)),
    request,
    rows: (response, items) => rows(response as Response, items),
    reportsLeaderless,
  };
}

/** Which result belongs to which item cannot be known. */
function miscounted(api: string, results: number, items: number): CliError {
  const message = `unable to read the ${api} answer: it has ${count(results, 'result')} for ${count(items, 'item')}`;
  return new CliError(exitCodes.failure, message, {
    code: 'PROTOCOL',
    hints: ['the request may have been carried out; check what was done before you repeat it'],
  });
}

/** The error of an outcome, in the form that rows show; null on success. */
export function itemErrorOf<Item, Row>({ row, error, ending }: Outcome<Item, Row>): ItemError | null {
  if (error === undefined) return null;
  const failure = (row && kafkaItemError(row.errorCode, row.errorMessage)) ?? errorOfItem(error);
  return ending === undefined ? failure : { ...failure, message: `${failure.message} (${ending})` };
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
