import { configValue, hiddenSecret } from '../../../admin/config-rows.ts';
import { command } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { count } from '../../../format/count.ts';
import { table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import { described, listOf, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { findProperty } from './find-property.ts';
import { type LocalMap, readLocalMap, rewriteLocal, withoutKeys } from './local-file.ts';
import { plainValueOf, yamlOf } from './property-value.ts';

/** The section of a broker's file with its own settings. */
const section = 'redpanda';

/** A property of the cluster in the file of a broker, which does not use it. */
const Misplaced = row({ property: string, file_value: configValue, cluster_value: configValue });
type Misplaced = RowOf<typeof Misplaced>;

/** What was removed from the file of a broker. */
const linted = row({
  file: string,
  backup: described(maybe(string), 'the file with the old text; null if nothing was removed'),
  properties: listOf(Misplaced),
});

/** `cluster config lint` */
export const lint = command({
  summary: 'Remove properties of the cluster from the configuration file of a broker',
  description: `Brokers take the properties of the cluster from the cluster, and ignore them in their own file. Shows those that are in
the section "redpanda" of the file, with the values that the cluster uses instead, and removes them after asking.

The file is the one of --broker-config or WEIR_BROKER_CONFIG (default /etc/redpanda/redpanda.yaml). Its old text is kept
beside it in a file that ends with .bak. All other lines, comments included, stay as they are.`,
  examples: [
    ['Show them', 'cluster config lint --dry-run'],
    ['Remove them from another file', 'cluster config lint --broker-config ./redpanda.yaml'],
  ],
  apis: ['admin'],
  changes: 'destroys',
  result: linted,
  plan: planOf,
  confirm(_context, _values, { local, properties }) {
    if (properties.length === 0) return null;
    const number = properties.length === 1 ? '1 property' : `${properties.length} properties`;
    return {
      preview: misplacedTable(properties, plainView),
      question: `Remove ${number} from ${local.path}, which was checked against the cluster`,
      name: count(properties.length, 'change'),
    };
  },
  async run(context, { dryRun }, { local, properties }) {
    const { path: file } = local;
    if (properties.length === 0) context.notice(`${file} has no properties of the cluster`);
    if (properties.length === 0) return { file, backup: null, properties };
    const names = properties.map(({ property }) => property);
    const text = await withoutKeys(local, names, section);
    const backup = dryRun ? null : await rewriteLocal(context, local, { text, backup: true });
    return { file, backup, properties };
  },
  show: {
    text({ file, backup, properties }, view) {
      if (properties.length === 0) return '';
      const done = backup === null ? '' : `Removed from ${file}; the old text is in ${backup}.\n`;
      return misplacedTable(properties, view) + done;
    },
  },
});

interface LintPlan {
  readonly local: LocalMap;
  readonly properties: readonly Misplaced[];
}

async function planOf(context: Context): Promise<LintPlan> {
  const { path } = context.profileSelection().brokerConfigFile;
  const hints = ['name the file with --broker-config FILE, on the machine of a broker'];
  const local = await readLocalMap(path, { section, hints });
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const { values } = await admin.configuration();
  const properties = local.fields.flatMap(({ key, pair }): readonly Misplaced[] => {
    const property = findProperty(schema, key);
    if (property === undefined) return [];
    const inFile = property.is_secret ? hiddenSecret : plainValueOf(local.file, pair.value);
    return [{ property: key, file_value: inFile, cluster_value: values.get(property.name) ?? null }];
  });
  return { local, properties };
}

function misplacedTable(properties: readonly Misplaced[], view: View): string {
  return table(
    ['property', 'in the file', 'on the cluster'],
    properties.map((one) => [one.property, yamlOf(one.file_value), yamlOf(one.cluster_value)]),
    view,
  );
}
