import { one } from '../../../cli/command.ts';
import { cluster, pathOfOne } from '../../../cloud/cloud-rows.ts';
import { usageError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { sending } from '../../interruption.ts';
import { fileFlag, readBodyFile } from '../body.ts';
import { cloudChange, finish, waitFlags } from '../change.ts';
import { clusters, idOf } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { propertyFlags, withProperties } from './properties.ts';

/** `cloud cluster update` */
export const update = cloudChange({
  summary: 'Change properties of a cluster',
  description: `Sends only what changes. The values true and false are sent as booleans, all others as text. Use --set-json for
other types.`,
  examples: [
    [
      'Two properties',
      'cloud cluster update cjb5vehc4vs19qc11pjg --set audit_enabled=true --set iceberg_catalog_type=rest',
    ],
    ['A number', 'cloud cluster update cjb5vehc4vs19qc11pjg --set-json log_segment_size=134217728'],
  ],
  args: { id: one(clusterWord, 'ID', 'id or name of the cluster') },
  flags: { ...propertyFlags, file: fileFlag, ...waitFlags },
  changes: 'alters',
  resource: cluster,
  async plan(context, { id: word, file, ...values }) {
    const fromFile = file === undefined ? {} : await readBodyFile(context, file, 'cluster');
    const changes = withProperties(fromFile, values);
    if (Object.keys(changes).length === 0) {
      throw usageError('nothing to change', {
        target: '--set',
        hints: ['pass changes with --set PROPERTY=VALUE, --set-json PROPERTY=JSON or --file FILE'],
      });
    }
    return { id: await idOf(context, { kinds: [clusters] }, word), changes };
  },
  request: ({ id, changes }) => ({ method: 'PATCH', path: pathOfOne(cluster, id), body: changes }),
  async apply(context, { id, changes }, values) {
    const cloud = await context.cloud();
    const doing = `updating the cluster ${id}`;
    sending(context, doing, commandText`weir cloud cluster get ${id}`);
    const operation = await cloud.updateCluster(id, changes);
    if (!values.wait) return operation;
    await finish(context, operation, doing, values);
    return await cloud.getCluster(id);
  },
});
