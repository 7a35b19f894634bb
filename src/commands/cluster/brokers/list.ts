import { Broker, type FormerBroker } from '../../../admin/brokers/broker-rows.ts';
import { toggle } from '../../../cli/command.ts';
import type { Column } from '../../../cli/forms/columns.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { showSize } from '../../../format/size.ts';
import { healthCell } from '../../../format/style.ts';
import { maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';

/** A broker of the list; of one that has left the cluster, only the id and the UUID are known. */
const ListedBroker = row({
  ...Broker.fields,
  host: maybe(string),
  port: maybe(whole),
  cores: maybe(whole),
  membership: maybe(string),
  in_maintenance: maybe(truth),
});
type ListedBroker = RowOf<typeof ListedBroker>;

const columns: readonly Column<ListedBroker>[] = [
  'id',
  'host',
  'port',
  'rack',
  'cores',
  ['membership', ({ membership }) => (membership === 'draining' ? healthCell(membership, 'pending') : membership)],
  ['is alive', ({ is_alive: isAlive }) => (isAlive === false ? healthCell('false', 'bad') : isAlive)],
  'version',
];

const uuidIfKnown: Column<ListedBroker> = [
  'uuid',
  ({ uuid }) => uuid,
  (rows) => rows.some(({ uuid }) => uuid !== null),
];

/** `cluster brokers list` */
export const list = listCommand({
  summary: 'List the brokers of the Admin API with their membership',
  description: `HOST and PORT are the address that the brokers use among themselves. MEMBERSHIP is "active", or "draining" while the
broker is being decommissioned. The UUID identifies a broker even if another one takes its id; older versions do not show
it.

With --include-decommissioned, adds the brokers that have left the cluster, of which only the ids are known. With --format
wide, adds the maintenance mode, and the space on the disk that has the least of it.`,
  examples: [
    ['All brokers', 'cluster brokers list'],
    ['With those that have left', 'cluster brokers list -d'],
    ['For a script', 'cluster brokers list --format json'],
  ],
  aliases: ['ls'],
  apis: ['admin'],
  flags: { includeDecommissioned: toggle({ short: 'd', help: 'include brokers that have left the cluster' }) },
  row: ListedBroker,
  async read(context, { includeDecommissioned }) {
    const admin = await context.admin();
    const members = await admin.brokers();
    const former = includeDecommissioned ? await admin.formerBrokers() : [];
    return [...members, ...former.map(rowOfFormer)].sort((a, b) => a.id - b.id);
  },
  columns: [...columns, uuidIfKnown],
  wide: [
    ...columns,
    ['maintenance', ({ in_maintenance: isOn }) => isOn],
    ['disk free', ({ disk_free: free }) => (free === null ? null : showSize(free))],
    ['disk total', ({ disk_total: total }) => (total === null ? null : showSize(total))],
    uuidIfKnown,
  ],
});

function rowOfFormer({ id, uuid }: FormerBroker): ListedBroker {
  return {
    id,
    host: null,
    port: null,
    rack: null,
    cores: null,
    membership: null,
    is_alive: null,
    version: null,
    uuid,
    in_maintenance: null,
    disk_free: null,
    disk_total: null,
  };
}
