import type { Context } from '../../context.ts';
import { exitCodes } from '../../errors.ts';
import { count } from '../../format/count.ts';
import type { Text } from '../../format/pieces.ts';
import { plainView, type View } from '../../format/view.ts';
import { type Fields, type FieldsOf, listOf, type Row, row } from '../../shape/shape.ts';
import { type ChosenApi, chooseApi, helpByApi } from '../by-api.ts';
import {
  type AllValues,
  type Args,
  type Called,
  type Command,
  type CommonValues,
  type Confirmation,
  command,
  type Flag,
  type Flags,
  toggle,
} from '../command.ts';
import { type Column, errorAlways, errorIfAny, tableOf } from './columns.ts';
import { type ItemState, type Outcome, type OutcomeWords, outcomeCell, outcomeFields, outcomeOf } from './outcome.ts';

/** `--if-exists` of a deletion: an item that does not exist needs no change. */
export const ifExists = toggle({ help: 'succeed if it does not exist' });

/** What is asked before a change: the question without the place and `?`, or more about it; null for nothing. */
export type Asked = string | (Omit<Confirmation, 'name'> & { readonly name?: string }) | null;

/** An item as planned: its row as it would be, what is known of it, and whatever `apply` needs. */
export type Planned<I> = I & ItemState;

/** What became of an item: the fields of its row that were not as planned, and why it failed. */
export type Applied<I> = Partial<I> & ItemState;

/** What a changing command does, in this order. `I` is an item's row without its outcome, `T` an item as planned. */
export interface ChangeSteps<V, I, T> {
  /**
   * Reads what would be changed, item by item, and changes nothing. It is called once: what the question and a dry run
   * show is what is applied. An item may have an error already, or need no change.
   */
  plan(context: Context, values: V): Promise<readonly T[]> | readonly T[];
  /**
   * For `destroys` and `guarded`: the question about the items that would be changed (default: whether to run the
   * command). It is not asked about none.
   */
  asks?(items: readonly T[], values: V, context: Context): Promise<Asked> | Asked;
  /** For a change that can be checked without making it: a dry run shows what the cluster says. */
  validate?(context: Context, items: readonly T[], values: V): Promise<readonly Applied<I>[]>;
  /**
   * For a change that goes on by itself: waits for it if the line says so, or says how to follow it. Gets all items with
   * what is known of them after the change, also those that needed none; returns what is known of each in the end.
   */
  follow?(context: Context, items: readonly T[], values: V): Promise<readonly Applied<I>[]>;
}

/** How a changing command changes its items, all at once or one after the other. */
type Application<V, I, T> =
  | {
      /** Changes the items that need it; returns what became of each, in their order. */
      apply(context: Context, items: readonly T[], values: V): Promise<readonly Applied<I>[]>;
    }
  | {
      /** Changes one of the items that need it: for commands of one item, and for requests that hold one. */
      applyEach(context: Context, item: T, values: V): Promise<Applied<I>>;
    };

/** How the outcomes of a change are told. `R` is the row with its outcome. */
interface ChangeView<V, R> extends OutcomeWords<R> {
  /** The columns before the last one (default: all fields of an item). */
  readonly columns?: readonly Column<R>[];
  /** The columns of `--format wide` (default: the same). */
  readonly wide?: readonly Column<R>[];
  /** The lines that the table has for an item, each with what its columns show (default: one, the row itself). */
  lines?(row: R): readonly R[];
  /** The last column: STATUS, or ERROR where rpk has it, which is empty for success; in a dry run always STATUS. */
  readonly ends?: 'status' | 'error';
  /** Whether the question shows the table of the plan above it, or what it shows instead. */
  readonly previews?: boolean | ((rows: readonly R[], view: View, values: V) => string);
  /** Says more about the outcomes, such as what was meant by a name that does not exist. */
  after?(context: Context, rows: readonly R[], values: V): Promise<void> | void;
  /** For a result that is no table of one line for each item. It shows the errors of items as well. */
  text?(rows: readonly R[], view: View, values: V): Text;
}

/** For `lines`: a line for each change of an item, or one for an item that has none. */
export function lineForEachChange<R extends { readonly changes: readonly unknown[] }>(row: R): readonly R[] {
  return row.changes.length === 0 ? [row] : row.changes.map((change) => ({ ...row, changes: [change] }));
}

/** What a changing command is called with. */
export interface ChangeCalled<A, F> extends Called<A, F> {
  readonly changes: 'creates' | 'alters' | 'destroys';
}

/** The declaration of a command that changes items, without what it does. */
interface ChangeHead<A, F, I extends Fields>
  extends ChangeCalled<A, F>,
    ChangeView<AllValues<A, F>, FieldsOf<I> & Outcome> {
  /** What an item is, in one word: `group`. What is typed on a protected profile is the item's first field, or `2 groups`. */
  readonly noun: string;
  /** The row of an item, without its outcome. */
  readonly item: Row<I>;
  /** The line names exactly one item: JSON shows its row, not a list of it. */
  readonly isOne?: boolean;
}

/** The declaration of a command that changes items. */
export type ChangeSpec<A, F, I extends Fields, T> = ChangeHead<A, F, I> &
  ChangeSteps<AllValues<A, F>, FieldsOf<I>, T> &
  Application<AllValues<A, F>, FieldsOf<I>, T>;

/**
 * Declares a command that changes items, each of which has an outcome of its own: the form adds `status`, `dry_run` and
 * `error` to each row. Write `item` first, then `plan`, so that the compiler can infer the types of the items.
 */
export function change<
  I extends Fields,
  T extends Planned<FieldsOf<I>>,
  // biome-ignore lint/complexity/noBannedTypes: {} is "no arguments", the fallback of inference
  A extends Args = {},
  // biome-ignore lint/complexity/noBannedTypes: {} is "no flags", the fallback of inference
  F extends Flags = {},
>(spec: ChangeSpec<A, F, I, T>): Command {
  const { plan, asks, validate, follow, ...head } = spec;
  const steps = { plan, asks, validate, follow, apply: applicationOf(spec) } as Steps<FieldsOf<I>>;
  return changeCommand(head, (_context, values) => ({ steps, values }));
}

/** What one of two APIs does for a changing command. */
type Way<V, I, T> = ChangeSteps<V, I, T> &
  Application<V, I, T> & {
    /** Sentences of the help about this API. */
    readonly help?: string;
    /** Examples of this API, which follow those of both. */
    readonly examples?: Command['examples'];
  };

/** The declaration of a change that two APIs can make. `V` is what both get of the command line. */
interface ChangeByApiSpec<A, F, I extends Fields, V, K, M> extends Omit<ChangeHead<A, F, I>, 'apis'> {
  readonly flags: F;
  /** Paragraphs of the help after what it says about the APIs. */
  readonly notes?: string;
  /** Checks the values before an API is chosen; returns what both ways get of them (default: the values). */
  read?(context: Context, values: AllValues<A, F>): V;
  readonly kafka: Way<NoInfer<V>, FieldsOf<I>, K>;
  readonly admin: Way<NoInfer<V>, FieldsOf<I>, M>;
}

/** Declares a change that two APIs can make: one of them is chosen before it makes its plan. */
export function changeByApi<
  I extends Fields,
  K extends Planned<FieldsOf<I>>,
  M extends Planned<FieldsOf<I>>,
  F extends Flags & { readonly api: Flag<ChosenApi | undefined> },
  // biome-ignore lint/complexity/noBannedTypes: {} is "no arguments", the fallback of inference
  A extends Args = {},
  V = AllValues<A, F>,
>({ kafka, admin, read, notes, ...head }: ChangeByApiSpec<A, F, I, V, K, M>): Command {
  const ways = {
    kafka: { ...kafka, apply: applicationOf(kafka) } as unknown as Steps<FieldsOf<I>>,
    admin: { ...admin, apply: applicationOf(admin) } as unknown as Steps<FieldsOf<I>>,
  };
  return changeCommand(
    { ...head, ...helpByApi({ ...head, notes, kafka, admin }), apis: ['kafka', 'admin'] },
    async (context, values) => {
      const given = read === undefined ? values : read(context, values);
      const api = await chooseApi(context, (values as { readonly api?: ChosenApi }).api);
      return { steps: ways[api], values: given, api };
    },
  );
}

/** The steps of a change without the types of its values and items. */
interface Steps<I> extends ChangeSteps<unknown, I, Planned<I>> {
  apply(context: Context, items: readonly Planned<I>[], values: unknown): Promise<readonly Applied<I>[]>;
}

/** The steps that were chosen, and the values that they get. */
interface Chosen<I> {
  readonly steps: Steps<I>;
  readonly values: unknown;
  /** The API that makes the change, where there are two. */
  readonly api?: ChosenApi;
}

interface ChangePlan<I> extends Chosen<I> {
  readonly items: readonly Planned<I>[];
}

function changeCommand<A extends Args, F extends Flags, I extends Fields>(
  {
    noun,
    item,
    isOne = false,
    columns,
    wide,
    lines,
    text,
    would,
    notNeeded,
    ends,
    previews,
    after,
    ...called
  }: ChangeHead<A, F, I>,
  choose: (context: Context, values: AllValues<A, F>) => Promise<Chosen<FieldsOf<I>>> | Chosen<FieldsOf<I>>,
): Command {
  type Item = FieldsOf<I>;
  type R = Item & Outcome;
  const fields = Object.keys(item.fields) as (keyof Item)[];
  const shape = row({ ...item.fields, ...outcomeFields });

  async function outcomes(step: Steps<Item>['apply'] | undefined, context: Context, { plan, values }: Carried<Item>) {
    const { items, values: given, steps } = plan;
    const pending = items.filter(isPending);
    const applied = step === undefined || pending.length === 0 ? [] : await step(context, pending, given);
    const outcomeByItem = new Map(pending.map((one, at) => [one, applied[at]]));
    const results = items.map((one) => ({ ...one, ...outcomeByItem.get(one) }));
    const last = values.dryRun ? undefined : await steps.follow?.(context, results, given);
    const rows = results.map((one, at) => {
      const result = { ...one, ...last?.[at] };
      return { ...picked(result, fields), ...outcomeOf(allowMissing(result, values), values.dryRun) } as R;
    });
    await after?.(context, rows, given as AllValues<A, F>);
    // A column ERROR does not show them.
    const unneeded =
      ends !== 'error' || values.dryRun ? 0 : rows.filter(({ status }) => status === 'NOT_NEEDED').length;
    if (unneeded > 0) context.noticeAfter(`${count(unneeded, noun)} needed no change`);
    return isOne ? rows[0] : rows;
  }

  const shown = (columns ?? fields) as readonly Column<R>[];
  const absent = called.flags?.ifExists === undefined ? undefined : 'does not exist';
  const words = { would, notNeeded: notNeeded ?? absent } as OutcomeWords<R>;
  const linesOf = (rows: readonly R[]) => (lines === undefined ? rows : rows.flatMap(lines));
  const tableIn =
    (chosen: readonly Column<R>[]) =>
    (result: unknown, view: View): string => {
      const rows = linesOf(listed<R>(result));
      const isStatus = ends !== 'error' || rows.some(({ dry_run: isDryRun }) => isDryRun);
      const last: Column<R> = isStatus ? ['status', (one) => outcomeCell(one, words)] : errorAlways();
      return tableOf(rows, [...chosen, last], view);
    };
  const previewOf = (items: readonly Planned<Item>[], { host }: Context, values: AllValues<A, F>): string => {
    const rows = items.map((one) => ({ ...one, ...outcomeOf(one, true) }) as R);
    if (typeof previews === 'function') return previews(rows, { ...plainView, columns: host.stderr.columns }, values);
    return tableOf(linesOf(rows), [...shown, errorIfAny<R>()]);
  };

  return command<unknown, A, F, ChangePlan<Item>>({
    ...called,
    result: isOne ? shape : listOf(shape),
    async plan(context, values) {
      const chosen = await choose(context, values);
      return { ...chosen, items: await chosen.steps.plan(context, chosen.values) };
    },
    async confirm(context, _values, { steps, values, api, items }) {
      const pending = items.filter(isPending);
      const [first] = pending;
      if (first === undefined) return null;
      const asked = await steps.asks?.(pending, values, context);
      if (asked === null) return null;
      const name = pending.length === 1 ? nameOf(picked(first, fields)) : count(pending.length, noun);
      return {
        name,
        ...(api !== undefined && { api }),
        ...(previews && { preview: previewOf(items, context, values as AllValues<A, F>) }),
        ...(typeof asked === 'string' ? { question: asked } : asked),
      };
    },
    dryRun: (context, values, plan) => outcomes(plan.steps.validate, context, { plan, values }),
    run: (context, values, plan) => outcomes(plan.steps.apply, context, { plan, values }),
    show: {
      text: text === undefined ? tableIn(shown) : (result, view, values) => text(listed<R>(result), view, values),
      ...(wide !== undefined && { wide: tableIn(wide as readonly Column<R>[]) }),
    },
  });
}

interface Carried<I> {
  readonly plan: ChangePlan<I>;
  readonly values: CommonValues;
}

/** Whether an item is still to be changed. */
function isPending({ status, error }: ItemState): boolean {
  return status === undefined && (error ?? null) === null;
}

/** With `--if-exists`, an item that does not exist needs no change. */
function allowMissing(state: ItemState, values: CommonValues): ItemState {
  const { ifExists: isAllowed } = values as { readonly ifExists?: boolean };
  return isAllowed === true && state.error?.exit_code === exitCodes.notFound ? { status: 'NOT_NEEDED' } : state;
}

/** The fields of a row, in its order. */
function picked<I>(item: I, fields: readonly (keyof I)[]): Partial<I> {
  return Object.fromEntries(
    fields.flatMap((field) => (item[field] === undefined ? [] : [[field, item[field]]])),
  ) as Partial<I>;
}

/** The first field of a row, which names the item. */
function nameOf(item: object): string {
  return String(Object.values(item)[0]);
}

function listed<R>(result: unknown): readonly R[] {
  return (Array.isArray(result) ? result : [result]) as readonly R[];
}

/** How items are changed, also one after the other. */
function applicationOf<V, I, T>(steps: Application<V, I, T>) {
  return async (context: Context, items: readonly T[], values: V): Promise<readonly Applied<I>[]> => {
    if ('apply' in steps) return await steps.apply(context, items, values);
    const applied: Applied<I>[] = [];
    for (const item of items) applied.push(await steps.applyEach(context, item, values));
    return applied;
  };
}
