import { type KafkaConnection as Connection, KafkaConnection } from '../../admin/connection-rows.ts';
import { flag, noun, type ValuesOf } from '../../cli/command.ts';
import type { Column } from '../../cli/forms/columns.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { usageError } from '../../errors.ts';
import { showSize } from '../../format/size.ts';
import { showElapsed } from '../../format/time.ts';
import { integer, type Kind, oneOf, text } from '../../kinds.ts';
import { maybe, row, whole } from '../../shape/shape.ts';
import { groupName } from '../group-name.ts';
import { userName } from '../security/user/user-kinds.ts';

const maxInt32 = 2_147_483_647;

const order: Kind<string> = {
  ...text,
  hint: 'ORDER',
  offers: [
    'recent_request_statistics.produce_bytes',
    'recent_request_statistics.fetch_bytes',
    'recent_request_statistics.request_count',
    'idle_duration',
    'open_time',
  ],
};

const filters = {
  clientId: flag(text, { help: 'only connections with this client id' }),
  user: flag(userName, { short: 'u', help: 'only connections of this user' }),
  ipAddress: flag({ ...text, hint: 'IP' }, { help: 'only connections from this address' }),
  groupId: flag(groupName, { short: 'g', help: 'only connections of members of this group' }),
  state: flag(oneOf('state', ['OPEN', 'CLOSED']), { short: 's', help: 'only connections in this state' }),
  idleMs: flag(integer({ min: 1 }), { short: 'i', help: 'only connections idle for more than N milliseconds' }),
  clientSoftwareName: flag(text, { help: 'only connections of this client library' }),
  clientSoftwareVersion: flag(text, { help: 'only connections of this version of the library' }),
};

/** A connection with how long it is, or was, open; null if the broker does not tell since when. */
const ListedConnection = row({ ...KafkaConnection.fields, open_duration_ms: maybe(whole) });
type ListedConnection = Connection & { readonly open_duration_ms: number | null };

const address = ({ source: { ip_address: ip, port } }: Connection) =>
  ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
const user = ({ authentication_info: info }: Connection) => (info.state === 'SUCCESS' ? info.user_principal : null);
const perSecond = (bytes: number | bigint) => showSize(Number(bytes) / 60);

const columns: readonly Column<ListedConnection>[] = [
  'client_id',
  ['user', user],
  ['address', address],
  ['broker', ({ node_id: node }) => node],
  'state',
  ['open', ({ open_duration_ms: open }) => (open === null ? null : showElapsed(open))],
  ['idle', ({ idle_duration_ms: idle }) => showElapsed(idle)],
  ['produce/s', ({ recent_request_statistics: recent }) => perSecond(recent.produce_bytes)],
  ['fetch/s', ({ recent_request_statistics: recent }) => perSecond(recent.fetch_bytes)],
  ['requests/min', ({ recent_request_statistics: recent }) => recent.request_count],
];

/** `cluster connections list` */
const list = listCommand({
  summary: 'List the connections of Kafka clients with their load',
  description: `Lists the open connections to all brokers, and some that were closed recently. PRODUCE/S, FETCH/S and REQUESTS/MIN are
the rates of the last minute; JSON also has the totals of each connection. Needs Redpanda 25.3 or newer, and a valid
license.

--filter-raw takes conditions joined with AND, and --order-by takes fields. Both use the names of the fields in JSON,
without _ms at the end. In a filter, texts have double quotes, durations have a unit, and states have the prefix
KAFKA_CONNECTION_STATE_.`,
  examples: [
    ['The connections of a user', 'cluster connections list --user billing'],
    [
      'Sorted by the bytes produced in the last minute',
      'cluster connections list --order-by "recent_request_statistics.produce_bytes desc"',
    ],
    [
      'Open connections that have been idle for ten minutes',
      'cluster connections list --state OPEN --idle-ms 600000 --order-by "idle_duration desc"',
    ],
    [
      'With an expression',
      `cluster connections list --filter-raw 'idle_duration > 30s AND total_request_statistics.request_count > 100'`,
    ],
  ],
  aliases: ['ls'],
  apis: ['admin'],
  flags: {
    ...filters,
    filterRaw: flag(
      { ...text, hint: 'FILTER' },
      { help: 'conditions as the Admin API takes them, instead of the flags above' },
    ),
    orderBy: flag(order, { help: 'fields to sort by, each followed by asc (the default) or desc' }),
    limit: flag(integer({ min: 1, max: maxInt32 }), { help: 'the most connections to list', fallback: 20 }),
  },
  row: ListedConnection,
  async read(context, { filterRaw, orderBy = '', limit, ...given }) {
    const conditions = conditionsOf(given);
    if (filterRaw !== undefined && conditions.length > 0)
      throw usageError('--filter-raw cannot be combined with flags that filter', { target: '--filter-raw' });
    const filter = filterRaw ?? conditions.join(' AND ');
    const found = await (await context.admin()).connections({ filter, orderBy, limit });
    if (found.connections.length === 0)
      context.notice(filter === '' ? 'no connection is open' : 'no connection matches');
    if (Number(found.total_size) > found.connections.length)
      context.noticeAfter(
        `${found.connections.length} of ${found.total_size} connections are listed: raise --limit, or filter`,
      );
    const now = context.host.now();
    return found.connections.map((one) => ({ ...one, open_duration_ms: openFor(one, now) }));
  },
  columns,
  wide: [
    ...columns,
    'shard_id',
    ['listener', ({ listener_name: listener }) => listener],
    ['tls', ({ tls_info: { enabled } }) => enabled],
    ['mechanism', ({ authentication_info: { mechanism } }) => mechanism],
    ['group', ({ group_id: group }) => group],
    [
      'library',
      ({ client_software_name: name, client_software_version: version }) =>
        [name, version].filter(Boolean).join(' ') || null,
    ],
    'uid',
  ],
});

/** `cluster connections` */
export const connections = noun({
  summary: 'Show the connections of Kafka clients',
  aliases: ['connection'],
  commands: { list },
});

function openFor({ open_time: open, close_time: close }: Connection, now: number): number | null {
  return open === null ? null : Math.max(0, (close === null ? now : Date.parse(close)) - Date.parse(open));
}

/** What the flags ask for, in the words of the server. */
function conditionsOf({ state, idleMs, ...texts }: ValuesOf<typeof filters>): readonly string[] {
  const fields = [
    ['client_id', texts.clientId],
    ['authentication_info.user_principal', texts.user],
    ['source.ip_address', texts.ipAddress],
    ['group_id', texts.groupId],
    ['client_software_name', texts.clientSoftwareName],
    ['client_software_version', texts.clientSoftwareVersion],
  ] as const;
  return [
    ...fields.flatMap(([field, value]) => (value === undefined ? [] : [`${field} = ${quoted(value)}`])),
    ...(state === undefined ? [] : [`state = KAFKA_CONNECTION_STATE_${state}`]),
    ...(idleMs === undefined ? [] : [`idle_duration > ${idleMs}ms`]),
  ];
}

/**
 * A text as filters take it, which have only ASCII between quotes and other bytes as `\xNN`
 * (redpanda commit 1b95a07c: src/v/redpanda/admin/aip_filter.cc:79).
 */
function quoted(value: string): string {
  const bytes = [...Buffer.from(value)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
