import type { Overview } from '../../kafka/cluster/overview/overview-rows.ts';
import { type Arranged, arrange, nextSorting, type Sorting } from './arrange.ts';
import {
  brokerTable,
  groupPartitions,
  groupTable,
  partitionTable,
  type Table,
  topicPartitions,
  topicTable,
} from './tables.ts';

/** The views, in the order of their keys from 1 on. */
export const views = ['overview', 'topics', 'groups', 'partitions', 'brokers'] as const;

/** A view. */
export type ViewName = (typeof views)[number];

/** A topic or a group that is shown by itself. */
export interface Detail {
  readonly of: 'topic' | 'group';
  readonly name: string;
}

/** What a person has chosen with keys. */
export interface TopState {
  readonly view: ViewName;
  readonly detail: Detail | undefined;
  /** By the name of the table. */
  readonly sortings: ReadonlyMap<string, Sorting>;
  /** The key of the selected row, by the name of the table. */
  readonly selected: ReadonlyMap<string, string>;
  readonly filter: string;
  /** Whether the filter is being typed. */
  readonly isTyping: boolean;
  readonly isPaused: boolean;
  readonly showsInternal: boolean;
  readonly showsHelp: boolean;
}

/** The state at the start. */
export function firstState(filter: string, showsInternal: boolean): TopState {
  return {
    view: 'overview',
    detail: undefined,
    sortings: new Map(),
    selected: new Map(),
    filter,
    isTyping: false,
    isPaused: false,
    showsInternal,
    showsHelp: false,
  };
}

/** The name of the table that keys act on; undefined in the overview, which has several. */
export function tableName({ view, detail }: TopState): string | undefined {
  return detail?.of ?? (view === 'overview' ? undefined : view);
}

const tables = { topics: topicTable, groups: groupTable, partitions: partitionTable, brokers: brokerTable };

/** A table of a view, filtered and sorted. */
export function arrangedView(view: keyof typeof tables, overview: Overview, state: TopState): Arranged {
  const shown = visible(overview, state);
  // The compiler does not see that the rows belong to their table.
  return arrange(tables[view] as Table<unknown>, shown, { sorting: state.sortings.get(view), filter: state.filter });
}

/** The table that keys act on; undefined in the overview. */
export function arrangedTable(overview: Overview, state: TopState): Arranged | undefined {
  const { view, detail } = state;
  if (detail === undefined) return view === 'overview' ? undefined : arrangedView(view, overview, state);
  const sorting = state.sortings.get(detail.of);
  // The filter has chosen the topic or the group.
  if (detail.of === 'topic') return arrange(topicPartitions(detail.name), overview, { sorting, filter: '' });
  return arrange(groupPartitions(detail.name), overview, { sorting, filter: '' });
}

/** The overview without the internal topics, unless they are wanted. */
export function visible(overview: Overview, { showsInternal }: Pick<TopState, 'showsInternal'>): Overview {
  return showsInternal ? overview : { ...overview, topics: overview.topics.filter(({ internal }) => !internal) };
}

/** The index of the selected row, which is the first one unless another was chosen and is still there. */
export function selectedIndex({ rows }: Arranged, key: string | undefined): number {
  return Math.max(
    0,
    rows.findIndex((row) => row.key === key),
  );
}

/** What a key acts on besides the state. */
export interface Seen {
  readonly overview: Overview;
  /** How many rows one page has. */
  readonly page: number;
}

/** The state after a key; `quit` ends the view. */
export function afterKey(state: TopState, key: string, seen: Seen): TopState | 'quit' {
  if (state.isTyping) return afterTyping(state, key);
  if (state.showsHelp) return key === 'q' ? 'quit' : { ...state, showsHelp: false };
  if (key === 'q') return 'quit';
  const chosen = chooseView(state, key) ?? commandKeys[key]?.(state, seen);
  return chosen ?? moved(state, key, seen);
}

function afterTyping(state: TopState, key: string): TopState {
  const { filter } = state;
  if (key === 'enter') return { ...state, isTyping: false };
  if (key === 'escape') return { ...state, isTyping: false, filter: '' };
  if (key === 'backspace') return { ...state, filter: [...filter].slice(0, -1).join('') };
  if (key === 'ctrl-u') return { ...state, filter: '' };
  return [...key].length === 1 ? { ...state, filter: filter + key } : state;
}

function chooseView(state: TopState, key: string): TopState | undefined {
  const view = views[Number(key) - 1];
  if (view !== undefined) return { ...state, view, detail: undefined };
  if (key !== 'tab' && key !== 'backtab') return undefined;
  const at = views.indexOf(state.view) + (key === 'tab' ? 1 : -1);
  return { ...state, view: views[(at + views.length) % views.length] ?? state.view, detail: undefined };
}

type KeyCommand = (state: TopState, seen: Seen) => TopState;

function togglePause(state: TopState): TopState {
  return { ...state, isPaused: !state.isPaused };
}

function back(state: TopState): TopState {
  return state.detail === undefined ? { ...state, filter: '' } : { ...state, detail: undefined };
}

function openHelp(state: TopState): TopState {
  return { ...state, showsHelp: true };
}

const commandKeys: Readonly<Record<string, KeyCommand>> = {
  '/': (state) => ({ ...state, isTyping: true, detail: undefined }),
  '?': openHelp,
  h: openHelp,
  p: togglePause,
  ' ': togglePause,
  i: (state) => ({ ...state, showsInternal: !state.showsInternal }),
  s: sortedByNext,
  r: reversed,
  enter: opened,
  right: opened,
  escape: back,
  left: back,
  backspace: back,
};

function sortedByNext(state: TopState, { overview }: Seen): TopState {
  const arranged = arrangedTable(overview, state);
  return arranged === undefined ? state : withSorting(state, nextSorting(arranged));
}

function reversed(state: TopState, { overview }: Seen): TopState {
  const arranged = arrangedTable(overview, state);
  if (arranged === undefined) return state;
  return withSorting(state, { ...arranged.sorting, descending: !arranged.sorting.descending });
}

function withSorting(state: TopState, sorting: Sorting): TopState {
  return { ...state, sortings: new Map([...state.sortings, [tableName(state) ?? '', sorting]]) };
}

/** Opens the selected topic or group. */
function opened(state: TopState, { overview }: Seen): TopState {
  if (state.view === 'overview') return { ...state, view: 'topics' };
  const arranged = state.detail === undefined ? arrangedTable(overview, state) : undefined;
  const key = arranged?.rows[selectedIndex(arranged, state.selected.get(state.view))]?.key;
  if (key === undefined) return state;
  if (state.view === 'topics') return withDetail(state, { of: 'topic', name: key });
  if (state.view === 'groups') return withDetail(state, { of: 'group', name: key });
  const partition = overview.slowest_partitions.find(
    (row) => state.view === 'partitions' && partitionTable.key(row) === key,
  );
  return partition === undefined ? state : withDetail(state, { of: 'group', name: partition.group });
}

/** A detail begins with its first row. */
function withDetail(state: TopState, detail: Detail): TopState {
  const selected = new Map(state.selected);
  selected.delete(detail.of);
  return { ...state, detail, selected };
}

function moved(state: TopState, key: string, { overview, page }: Seen): TopState {
  const name = tableName(state);
  const arranged = arrangedTable(overview, state);
  if (name === undefined || arranged === undefined) return key === 'down' ? { ...state, view: 'topics' } : state;
  const at = selectedIndex(arranged, state.selected.get(name));
  const last = arranged.rows.length - 1;
  const next = targets(at, last, page)[key];
  const row = next === undefined ? undefined : arranged.rows[Math.min(Math.max(0, next), last)];
  return row === undefined ? state : { ...state, selected: new Map([...state.selected, [name, row.key]]) };
}

function targets(at: number, last: number, page: number): Readonly<Record<string, number>> {
  return {
    up: at - 1,
    k: at - 1,
    down: at + 1,
    j: at + 1,
    'page-up': at - page,
    'page-down': at + page,
    home: 0,
    g: 0,
    end: last,
    G: last,
  };
}
