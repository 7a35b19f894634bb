import type { ScreenSize } from '../../cli/screen.ts';
import { showCompact, showCompactSize } from '../../format/compact.ts';
import { count, grouped } from '../../format/count.ts';
import { cut } from '../../format/cut.ts';
import { printable } from '../../format/printable.ts';
import { sparkline } from '../../format/sparkline.ts';
import { statusText } from '../../format/status.ts';
import type { Style } from '../../format/style.ts';
import { showElapsed } from '../../format/time.ts';
import { width } from '../../format/width.ts';
import type { GroupLoad, Overview, TopicLoad } from '../../kafka/cluster/overview/overview-rows.ts';
import { type Arranged, arrange } from './arrange.ts';
import type { History, Series } from './history.ts';
import {
  afterKey,
  arrangedTable,
  arrangedView,
  type Detail,
  selectedIndex,
  type TopState,
  tableName,
  views,
  visible,
} from './state.ts';
import { type Drawing, ellipsisOf, painted, tableLines } from './table-lines.ts';
import { topicGroups } from './tables.ts';

/** What is shown, besides what was chosen with keys. */
export interface Live {
  /** The cluster. */
  readonly title: string;
  readonly overview: Overview;
  readonly history: History;
  readonly intervalMs: number;
  /** How old the overview is. */
  readonly ageMs: number;
  /** Why the last reading has failed; undefined if it has not. */
  readonly failure: string | undefined;
}

/** Everything that a frame is drawn from. */
export interface Scene extends Drawing {
  readonly live: Live;
  readonly state: TopState;
  readonly size: ScreenSize;
}

/** A part of a line, which is left out as a whole if there is no room for it. */
interface Segment {
  readonly text: string;
  readonly style?: Style;
}

/** Two panes stand side by side from here on. */
const wideColumns = 140;
/** With less, panes are not put side by side. */
const wideRows = 14;

/** Draws a frame, at most as many lines as the screen has, none wider than it. */
export function frame(scene: Scene): readonly string[] {
  const { rows } = scene.size;
  if (rows < 1) return [];
  const header = headerLines(scene).slice(0, Math.max(0, rows - 1));
  const body = bodyLines(scene, bodyRows(scene));
  const filling = Array.from({ length: Math.max(0, rows - header.length - body.length - 1) }, () => '');
  return [...header, ...body, ...filling, footerLine(scene)].slice(0, rows);
}

/** How many rows of the table one page of a frame has. */
export function pageRows(scene: Scene): number {
  const detail = scene.state.detail;
  const taken = detail === undefined ? 0 : detailHead(scene, detail, bodyRows(scene)).length;
  return Math.max(1, bodyRows(scene) - taken - 1);
}

function bodyRows(scene: Scene): number {
  return Math.max(0, scene.size.rows - headerLines(scene).length - 1);
}

/** A screen of few lines leaves out the less important ones. */
function headerLines(scene: Scene): readonly string[] {
  const message = messageLine(scene);
  const { rows } = scene.size;
  return [
    ...(rows >= 6 ? [titleLine(scene)] : []),
    healthLine(scene),
    ...(rows >= 8 ? [totalsLine(scene)] : []),
    ...(message === undefined ? (rows >= 20 ? [''] : []) : [message]),
    ...(rows >= 5 ? [viewsLine(scene)] : []),
  ];
}

/** Puts as many segments into a line as it has room for; the first one is cut if need be. */
function segments(parts: readonly (Segment | undefined)[], { size, ...drawing }: Scene, gap = 2): string {
  let line = '';
  let used = 0;
  for (const part of parts) {
    if (part === undefined || part.text === '') continue;
    const text = used === 0 ? cut(part.text, size.columns, ellipsisOf(drawing)) : part.text;
    const between = used === 0 ? 0 : gap;
    if (used + between + width(text) > size.columns) continue;
    line += ' '.repeat(between) + (part.style === undefined ? text : painted(part.style, text, drawing));
    used += between + width(text);
  }
  return line;
}

/** A line with a text at each end; the right one is left out if the left one has no room beside it. */
function spread(left: string, right: string, scene: Scene, style: Style): string {
  const { columns } = scene.size;
  const hasRoom = columns >= width(right) + 24;
  const shown = cut(left, hasRoom ? columns - width(right) - 2 : columns, ellipsisOf(scene));
  if (!hasRoom) return painted(style, shown, scene);
  return painted(style, shown, scene) + ' '.repeat(columns - width(shown) - width(right)) + right;
}

function titleLine(scene: Scene): string {
  const { live, state } = scene;
  const when = `${live.overview.time.slice(11, 19)}Z`;
  const pace = state.isPaused ? 'PAUSED' : `every ${showElapsed(live.intervalMs)}`;
  return spread(`weir top  ${printable(live.title)}`, `${pace}  ${when}`, scene, 'bold');
}

function healthLine(scene: Scene): string {
  const { live, state } = scene;
  const { health, brokers, topics, groups, health_source: source } = visible(live.overview, state);
  const { is_healthy: isHealthy, nodes_down: down, nodes_in_recovery_mode: recovering } = health;
  const leaderless = health.leaderless_count;
  const underReplicated = health.under_replicated_count;
  const partitions = topics.reduce((sum, topic) => sum + topic.partitions, 0);
  return segments(
    [
      healthSegment(isHealthy, isStale(scene)),
      wrong(health.controller_id === null, 'no controller'),
      wrong(down.length > 0, `${count(down.length, 'broker')} down: ${down.join(' ')}`),
      wrong((leaderless ?? 0) > 0, `${grouped(leaderless ?? 0)} without a leader`),
      wrong((underReplicated ?? 0) > 0, `${grouped(underReplicated ?? 0)} under-replicated`),
      wrong((recovering ?? []).length > 0, `in recovery mode: ${recovering?.join(' ')}`),
      { text: grouped(brokers.length, 'broker') },
      { text: grouped(topics.length, 'topic') },
      { text: grouped(partitions, 'partition') },
      { text: grouped(groups.length, 'group') },
      source === 'admin' ? { text: '(Admin API)' } : undefined,
    ],
    scene,
  );
}

/** Of a reading that is out of date, nobody knows whether it is still so. */
function healthSegment(isHealthy: boolean | null, isOld: boolean): Segment {
  if (isHealthy === null) return { text: 'HEALTH NOT KNOWN', style: 'yellow' };
  const text = isHealthy ? 'HEALTHY' : 'UNHEALTHY';
  if (isOld) return { text: `WAS ${text}`, style: 'yellow' };
  return { text, style: isHealthy ? 'green' : 'red' };
}

/** Whether the last reading has failed, or takes too long. */
function isStale({ live: { failure, ageMs, intervalMs }, state }: Scene): boolean {
  return failure !== undefined || (!state.isPaused && ageMs > Math.max(3 * intervalMs, 5000));
}

function wrong(isWrong: boolean, text: string): Segment | undefined {
  return isWrong ? { text, style: 'red' } : undefined;
}

function totalsLine(scene: Scene): string {
  const { live } = scene;
  const { overview, history } = live;
  return segments(
    [
      { text: `in ${rateText(overview.record_rate, overview.byte_rate)}` },
      trend(history.records, scene),
      overview.lag === null ? undefined : { text: `lag ${showCompact(Number(overview.lag))}` },
      overview.lag === null ? undefined : trend(history.lag, scene),
      overview.size === null ? undefined : { text: `on disk ${showCompactSize(Number(overview.size))}` },
    ],
    scene,
  );
}

function rateText(records: number | null, bytes: number | null): string {
  const rate = records === null ? '- records/s' : `${showCompact(records)} records/s`;
  return bytes === null ? rate : `${rate} ${showCompactSize(bytes)}/s`;
}

/** A short sparkline, on a screen that has room for it. */
function trend(series: Series, scene: Scene): Segment | undefined {
  if (scene.size.columns < 60 || series.length < 2) return undefined;
  return { text: sparkline(series, Math.min(10, series.length), scene.unicode), style: 'cyan' };
}

/** What is wrong with the readings. */
function messageLine(scene: Scene): string | undefined {
  const { failure, ageMs, overview } = scene.live;
  const age = showElapsed(Math.floor(ageMs / 1000) * 1000);
  if (failure !== undefined) return segments([{ text: `STALE ${age}: ${printable(failure)}`, style: 'red' }], scene);
  if (isStale(scene)) return segments([{ text: `STALE ${age}: waiting for an answer`, style: 'yellow' }], scene);
  const [first, ...others] = overview.errors;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const text = `${first.part} incomplete${more}: ${printable(statusText(first.error))}`;
  return segments([{ text, style: 'yellow' }], scene);
}

function viewsLine(scene: Scene): string {
  const { state, size } = scene;
  const named = views.map((view, at): Segment => {
    const text = `${at + 1} ${view}`;
    const isShown = view === state.view;
    return { text: isShown ? `[${text}]` : ` ${text} `, ...(isShown && { style: 'bold' as const }) };
  });
  const filter = state.filter === '' ? undefined : { text: ` filter: ${printable(state.filter)}` };
  const isShort = size.columns < named.reduce((sum, { text }) => sum + text.length, 0);
  const current = { text: `[${state.view}]`, style: 'bold' as const };
  return segments(isShort ? [current, filter] : [...named, filter], scene, 0);
}

function bodyLines(scene: Scene, rows: number): readonly string[] {
  const { state, live } = scene;
  if (rows < 1) return [];
  if (state.showsHelp) return helpLines(scene).slice(0, rows);
  const { detail } = state;
  const head = detail === undefined ? [] : detailHead(scene, detail, rows);
  const table = arrangedTable(live.overview, state);
  if (table === undefined) return overviewLines(scene, rows);
  const selected = selectedIndex(table, state.selected.get(tableName(state) ?? ''));
  return [...head, ...tableOrNone(table, scene, { rows: rows - head.length, selected })];
}

/** Where a table is drawn. */
interface Room {
  readonly rows: number;
  /** Default: all columns. */
  readonly columns?: number;
  readonly selected?: number;
}

function tableOrNone(
  table: Arranged,
  scene: Scene,
  { rows, columns = scene.size.columns, selected }: Room,
): readonly string[] {
  if (rows < 1) return [];
  const { live, color, unicode } = scene;
  const place = { columns, rows, history: live.history, color, unicode, ...(selected !== undefined && { selected }) };
  const lines = tableLines(table, place);
  if (table.rows.length > 0 || rows < 2) return lines;
  const none = table.total > 0 ? `  no ${table.items} match the filter` : `  no ${table.items}`;
  return [...lines, cut(none, columns, ellipsisOf(scene))];
}

/** The panes of the overview, with what each has to show. */
function panesOf({ live, state }: Scene): readonly Arranged[] {
  return (['topics', 'groups', 'partitions', 'brokers'] as const).map((view) =>
    arrangedView(view, live.overview, state),
  );
}

function overviewLines(scene: Scene, rows: number): readonly string[] {
  const panes = panesOf(scene);
  if (scene.size.columns >= wideColumns && rows >= wideRows) return sideBySide(panes, scene, rows);
  return stacked(panes, scene, { rows });
}

/** The least lines of a pane that is not the only one, with its headers and an empty line below it. */
const leastPane = 5;

/** The panes below each other, with an empty line between them. Those for which there is not room enough are left out. */
function stacked(panes: readonly Arranged[], scene: Scene, { rows, columns }: Room): readonly string[] {
  const shown = panes.slice(0, Math.max(1, Math.floor((rows + 1) / leastPane)));
  const heights = shown.map(() => 2);
  let left = rows - shown.length * 3 + 1;
  const wants = (at: number): boolean => (heights[at] ?? 0) < 1 + (shown[at]?.rows.length ?? 0);
  while (left > 0 && shown.some((_, at) => wants(at))) {
    for (const at of shown.keys()) {
      if (left < 1 || !wants(at)) continue;
      heights[at] = (heights[at] ?? 0) + 1;
      left -= 1;
    }
  }
  return shown.flatMap((pane, at) => {
    const height = Math.min(rows, heights[at] ?? 0);
    const lines = tableOrNone(pane, scene, { rows: height, ...(columns !== undefined && { columns }) });
    return at === 0 ? lines : ['', ...lines];
  });
}

/** The first two panes beside the other two. */
function sideBySide(panes: readonly Arranged[], scene: Scene, rows: number): readonly string[] {
  const gap = 2;
  const columns = Math.floor((scene.size.columns - gap) / 2);
  const [left, right] = [panes.filter((_, at) => at % 2 === 0), panes.filter((_, at) => at % 2 === 1)].map((side) =>
    stacked(side, scene, { rows, columns }),
  );
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  return Array.from({ length }, (_, at) => {
    const line = left?.[at] ?? '';
    const blanks = ' '.repeat(columns + gap - (line === '' ? 0 : shownWidth(line)));
    return line + blanks + (right?.[at] ?? '');
  });
}

/** The width of a line that may have colors. */
function shownWidth(line: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences start with it
  return width(line.replace(/\u001b\[[\d;]*m/g, ''));
}

/** The lines above the partitions of a topic or a group. */
function detailHead(scene: Scene, { of, name }: Detail, rows: number): readonly string[] {
  const { overview, history } = scene.live;
  const topic = of === 'topic' ? overview.topics.find((one) => one.topic === name) : undefined;
  const group = of === 'group' ? overview.groups.find((one) => one.group === name) : undefined;
  const title: Segment = { text: `${of} ${printable(name)}`, style: 'bold' };
  const isGone = topic === undefined && group === undefined;
  const facts = topic === undefined ? group && groupFacts(group) : topicFacts(topic);
  const lines = [segments([title, isGone ? { text: 'is no longer there' } : undefined], scene)];
  if (facts !== undefined) lines.push(segments(facts, scene));
  const error = (topic ?? group)?.error ?? null;
  if (error !== null) lines.push(segments([{ text: printable(statusText(error)), style: 'red' }], scene));
  if (rows < 10) return lines;
  const series = (of === 'topic' ? history.topics : history.groups).get(name) ?? [];
  lines.push(segments([{ text: of === 'topic' ? 'records/s' : 'lag' }, wideTrend(series, scene)], scene), '');
  return topic === undefined ? lines : [...lines, ...readersOf(name, scene, rows - lines.length)];
}

/** The groups that read a topic, in a third of the rows at most. */
function readersOf(topic: string, scene: Scene, rows: number): readonly string[] {
  const all = visible(scene.live.overview, { showsInternal: true });
  const readers = arrange(topicGroups(topic), all, { sorting: undefined, filter: '' });
  if (readers.rows.length === 0) return [];
  const room = Math.min(readers.rows.length + 1, Math.floor(rows / 3));
  return [...tableOrNone(readers, scene, { rows: room }), ''];
}

function wideTrend(series: Series, scene: Scene): Segment {
  const columns = Math.min(scene.size.columns - 11, series.length);
  return { text: sparkline(series, Math.max(0, columns), scene.unicode), style: 'cyan' };
}

function topicFacts({
  partitions,
  replicas,
  size,
  record_rate: records,
  byte_rate: bytes,
}: TopicLoad): readonly Segment[] {
  return [
    { text: rateText(records, bytes) },
    { text: `${count(partitions, 'partition')}, ${count(replicas, 'replica')}` },
    { text: size === null ? '' : showCompactSize(Number(size)) },
  ];
}

function groupFacts({ state, type, members, lag, coordinator }: GroupLoad): readonly Segment[] {
  return [
    { text: lag === null ? 'lag unknown' : `lag ${grouped(Number(lag))}` },
    { text: state ?? '' },
    { text: members === null ? '' : count(members, 'member') },
    { text: type ?? '' },
    { text: coordinator === null ? '' : `coordinator ${coordinator}` },
  ];
}

const help: readonly (readonly [keys: string, meaning: string])[] = [
  ['1 to 5, tab', 'choose a view'],
  ['up, down, page up, ...', 'select a row (also k, j, g, G)'],
  ['enter, esc', 'open the selected topic or group, and go back'],
  ['/', 'show only names that contain a text; esc shows all'],
  ['s, r', 'sort by the next column, or in the other direction'],
  ['p', 'pause: no requests are sent until you press p again'],
  ['i', 'show or hide internal topics'],
  ['ctrl-l', 'draw the screen again'],
  ['q, ctrl-c', 'quit'],
];

function helpLines(scene: Scene): readonly string[] {
  const { columns } = scene.size;
  const isNarrow = columns < 80;
  return help.flatMap(([keys, meaning]) => {
    const lines = isNarrow ? [`  ${keys}`, `    ${meaning}`] : [`  ${keys.padEnd(24)}${meaning}`];
    return lines.map((line) => cut(line, columns, ellipsisOf(scene)));
  });
}

/** Whether a row is selected that has details, or the overview, which leads to the topics. */
function opensSomething(scene: Scene): boolean {
  const { state, live } = scene;
  return afterKey(state, 'enter', { overview: live.overview, page: 1 }) !== state;
}

function footerLine(scene: Scene): string {
  const { state } = scene;
  if (state.isTyping) {
    return segments(
      [{ text: `filter: ${printable(state.filter)}_` }, { text: 'enter keep' }, { text: 'esc remove' }],
      scene,
    );
  }
  if (state.showsHelp) return segments([{ text: 'q quit' }, { text: 'any other key: back' }], scene);
  const isDetail = state.detail !== undefined;
  const keys = [
    'q quit',
    '? help',
    isDetail ? 'esc back' : 'tab view',
    ...(tableName(state) === undefined ? [] : ['s sort', 'r reverse']),
    ...(opensSomething(scene) ? ['enter open'] : []),
    ...(isDetail ? [] : ['/ filter']),
    state.isPaused ? 'p resume' : 'p pause',
  ];
  return segments(
    keys.map((text) => ({ text })),
    scene,
  );
}
