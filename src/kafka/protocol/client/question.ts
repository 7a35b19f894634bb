import { CliError, itemErrorOf as errorOfItem, exitCodes, type ItemError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { kafkaItemError } from '../errors.ts';
import type { Api } from '../wire/api.ts';
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
  send(sendOnce: SendOnce, items: readonly Located<Item>[]): Promise<Answered<Item, Row>>;
  /** Reports a partition without a leader at once; by default the retry rule applies to it. */
  readonly reportsLeaderless?: boolean;
  /** The API, with its name for messages, whether its requests may be repeated, and whether they change the cluster. */
  readonly api: Pick<Api<never, unknown>, 'name' | 'repeatable' | 'changes'>;
}

/** Sends one request to the broker of a question, without retries. */
export type SendOnce = <Request, Response>(api: Api<Request, Response>, request: Request) => Promise<Response>;

/** A broker's answer: one error code for the whole answer and a row for each item. */
export interface Answered<Item, Row> {
  /** The error code of the whole answer; 0: no error. */
  readonly errorCode: number;
  /** The broker's text for that code, if it sent one. */
  readonly errorMessage?: string | undefined;
  /** The row of an item; undefined when the answer leaves it out. */
  rowOf(item: Item): (Row & CodedRow) | undefined;
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
    async send(sendOnce, items) {
      const response = await sendOnce(api, parts.request(items));
      const rows = rowsByKey(parts.rows(response));
      return { ...wholeError(api, response), rowOf: (item) => rows.get(keyOf(item)) };
    },
  };
}

/** Of two rows for the same item, one with an error counts: the item did not succeed for certain. */
function rowsByKey<Row extends CodedRow>(rows: Iterable<readonly [key: string, row: Row]>): ReadonlyMap<string, Row> {
  const byKey = new Map<string, Row>();
  for (const [key, row] of rows) if ((byKey.get(key)?.errorCode ?? 0) === 0) byKey.set(key, row);
  return byKey;
}

function wholeError<Response>(api: Api<never, Response>, response: Response) {
  return { errorCode: api.errorCode(response), errorMessage: api.errorMessage(response) };
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
    async send(sendOnce, items) {
      const response = await sendOnce(parts.api, parts.request(items));
      const answered = parts.rows(response);
      if (answered.length !== items.length) throw miscounted(parts.api.name, answered.length, items.length);
      const rows = new Map(items.map(({ item }, at) => [item, answered[at]] as const));
      return { ...wholeError(parts.api, response), rowOf: (item) => rows.get(item) };
    },
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
  const own = (row && kafkaItemError(row.errorCode, row.errorMessage)) ?? errorOfItem(error);
  return ending === undefined ? own : { ...own, message: `${own.message} (${ending})` };
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
