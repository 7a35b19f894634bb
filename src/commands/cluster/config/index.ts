import { noun } from '../../../cli/command.ts';
import { edit } from './edit.ts';
import { exportCommand } from './export.ts';
import { forceReset } from './force-reset.ts';
import { get } from './get.ts';
import { importCommand } from './import.ts';
import { lint } from './lint.ts';
import { list } from './list.ts';
import { set } from './set.ts';
import { status } from './status.ts';

/** `cluster config` */
export const config = noun({
  summary: 'Show and change the configs of brokers and the properties of a cluster',
  commands: {
    get,
    set,
    list,
    export: exportCommand,
    import: importCommand,
    edit,
    status,
    lint,
    'force-reset': forceReset,
  },
});
