import { noun } from '../../../cli/command.ts';
import { exportCommand } from './export.ts';
import { get } from './get.ts';
import { importCommand } from './import.ts';
import { list } from './list.ts';
import { set } from './set.ts';
import { status } from './status.ts';

/** `cluster config` */
export const config = noun({
  summary: 'Show and change the configs of brokers and the properties of a cluster',
  commands: { get, set, list, export: exportCommand, import: importCommand, status },
});
