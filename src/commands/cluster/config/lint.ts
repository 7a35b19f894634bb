import { configValue, hiddenSecret } from '../../../admin/config-rows.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Context } from '../../../context.ts';
import { count } from '../../../format/count.ts';
import { described, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { findProperty } from './find-property.ts';
import { type LocalMap, readLocalMap, rewriteLocal, withoutKeys } from './local-file.ts';
import { plainValueOf, yamlOf } from './property-value.ts';

/** The section of a broker's file with its own settings. */
const section = 'redpanda';

/** A property of the cluster in the file of a broker, which does not use it. */
const MisplacedProperty = row({
  property: string,
  file: string,
  backup: described(maybe(string), 'the file with the old text; null if nothing was removed'),
  file_value: configValue,
  cluster_value: configValue,
});
type MisplacedProperty = RowOf<typeof MisplacedProperty>;

/** `cluster config lint` */
export const lint = change({
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
  noun: 'change',
  item: MisplacedProperty,
  plan: misplacedProperties,
  asks(properties) {
    const number = properties.length === 1 ? '1 property' : `${properties.length} properties`;
    return {
      question: `Remove ${number} from ${properties[0]?.file}, which was checked against the cluster`,
      name: count(properties.length, 'change'),
    };
  },
  previews: true,
  async apply(context, properties) {
    const [first] = properties;
    if (first === undefined) return [];
    const backup = await rewriteLocal(context, first.local, { text: first.text, backup: true });
    context.noticeAfter(`the old text of ${first.file} is in ${backup}`);
    return properties.map(() => ({ backup }));
  },
  columns: [
    'property',
    ['in the file', (one) => yamlOf(one.file_value)],
    ['on the cluster', (one) => yamlOf(one.cluster_value)],
  ],
  would: 'be removed',
});

interface PlannedRemoval extends MisplacedProperty {
  readonly local: LocalMap;
  /** The text of the file without all of them. */
  readonly text: string;
}

async function misplacedProperties(context: Context): Promise<readonly PlannedRemoval[]> {
  const { path } = context.profileSelection().brokerConfigFile;
  const hints = ['name the file with --broker-config FILE, on the machine of a broker'];
  const local = await readLocalMap(path, { section, hints });
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const { values } = await admin.configuration();
  const properties = local.fields.flatMap(({ key, pair }): readonly MisplacedProperty[] => {
    const property = findProperty(schema, key);
    if (property === undefined) return [];
    const inFile = property.is_secret ? hiddenSecret : plainValueOf(local.file, pair.value);
    const inUse = values.get(property.name) ?? null;
    return [{ property: key, file: local.path, backup: null, file_value: inFile, cluster_value: inUse }];
  });
  if (properties.length === 0) context.notice(`${local.path} has no properties of the cluster`);
  const names = properties.map(({ property }) => property);
  const text = await withoutKeys(local, names, section);
  return properties.map((one) => ({ ...one, local, text }));
}
