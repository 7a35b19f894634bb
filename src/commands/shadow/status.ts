import { LinkTask, RegistrySync, ShadowLink, ShadowTopic } from '../../admin/shadow/link-rows.ts';
import { linkConfig } from '../../admin/shadow/link-words.ts';
import { command, one, toggle, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { type Section, sections } from '../../format/sections.ts';
import { type Cell, pairs } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { isObject } from '../../shape/object.ts';
import { int64, listOf, maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { unbounded } from '../open-end.ts';
import { totalLag, withAllPartitions } from './lag.ts';
import { linkName, requireLink } from './link-name.ts';
import { overviewText, taskTable, topicTable } from './link-text.ts';

const { name, uid } = ShadowLink.fields;

/** The status of a link. */
const LinkStatus = row({
  name,
  uid,
  state: maybe(string),
  tasks: listOf(LinkTask),
  /** With the lag of all partitions, which is null if that of one is not known. */
  topics: listOf(row({ ...ShadowTopic.fields, lag: maybe(int64) })),
  synced_topic_properties: listOf(string),
  /** How far the schema registry is copied; null unless the link uses its API. */
  schema_registry: maybe(RegistrySync),
});
type LinkStatus = RowOf<typeof LinkStatus>;

/** How often `--watch` reads the status, in milliseconds. */
const everyMs = 2_000;

const sectionFlags = {
  printOverview: toggle({ short: 'o', help: 'print the name and the state' }),
  printTask: toggle({ short: 'k', help: 'print the tasks' }),
  printTopic: toggle({ short: 't', help: 'print the topics' }),
  printRegistry: toggle({ short: 'y', help: 'print how far the schema registry is copied' }),
  printAll: toggle({ short: 'a', help: 'print everything (default)' }),
};
type Chosen = ValuesOf<typeof sectionFlags>;

/** `shadow status` */
export const status = command({
  summary: 'Show what a shadow link copies, and how far it is behind',
  description: `LAG is the number of records that the source had when the link last heard of it and that this cluster has not: what a
failover at this moment would lose. It is unknown until the link has read from the source, for partitions without a leader or
whose broker does not answer, and for topics that are not ACTIVE. It stays as it was if the source is no longer reached; the
tasks show that. The states are those of Redpanda, such as ACTIVE, FAULTED or FAILED_OVER.

With --watch, the status is read every 2s until Ctrl-C.`,
  examples: [
    ['Everything', 'shadow status dr'],
    ['Only the topics and their lag', 'shadow status dr -t'],
    ['For a script', 'shadow status dr --format json'],
  ],
  apis: ['admin'],
  args: { link: one(linkName, 'LINK', 'name of the link') },
  flags: { watch: toggle({ short: 'w', help: 'print the status again every 2s' }), ...sectionFlags },
  changes: 'reads',
  result: LinkStatus,
  async run(context, { link, watch }) {
    const first = await readStatus(context, link);
    return watch ? unbounded(readings(context, link, first), context) : first;
  },
  show: { redraws: true, text: (shown, view, values) => statusText(shown, view, values) },
});

async function* readings(context: Context, link: string, first: LinkStatus): AsyncGenerator<LinkStatus> {
  const { clock, signal } = await context.deadline();
  for (let now = first; ; now = await readStatus(context, link)) {
    yield now;
    await clock.sleep(everyMs, signal);
  }
}

async function readStatus(context: Context, link: string): Promise<LinkStatus> {
  const { name, uid, state, tasks, topics, ...read } = await requireLink(context, link);
  // The cluster always returns it, with zeros for a link that does not use the API of the registry.
  const { schema_registry_sync_options: options } = linkConfig(read.configurations);
  const usesApi = isObject(options) && 'shadow_schema_registry_api' in options;
  return {
    name,
    uid,
    state,
    tasks,
    topics: (await withAllPartitions(context, topics)).map((topic) => ({ ...topic, lag: totalLag([topic]) })),
    synced_topic_properties: read.synced_topic_properties,
    schema_registry: usesApi ? read.schema_registry : null,
  };
}

function statusText(shown: LinkStatus, view: View, chosen: Chosen): string {
  const { printOverview, printTask, printTopic, printRegistry, printAll } = chosen;
  const isAll = printAll || !(printOverview || printTask || printTopic || printRegistry);
  const parts: readonly (Section | false)[] = [
    (isAll || printOverview) && { title: 'overview', body: overviewText(shown, view) },
    (isAll || printTask) && { title: 'tasks', body: taskTable(shown.tasks, view) },
    (isAll || printTopic) && { title: 'topics', body: topicTable(shown.topics, view) },
    (printRegistry || (isAll && shown.schema_registry !== null)) && {
      title: 'schema registry',
      body: pairs(countersOf(shown.schema_registry ?? {}), view),
    },
  ];
  return sections(
    parts.filter((one) => one !== false),
    view,
  );
}

/** The values of a nested object, each with the names on the way to it. */
function countersOf(counters: object, above = ''): readonly (readonly [string, Cell])[] {
  return Object.entries(counters).flatMap(([name, value]) => {
    const path = above + name.replaceAll('_', ' ');
    return isObject(value) ? countersOf(value, `${path}, `) : [[path, value as Cell] as const];
  });
}
