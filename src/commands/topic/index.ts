import { noun } from '../../cli/command.ts';
import { addPartitions } from './add-partitions.ts';
import { alterConfig } from './alter-config.ts';
import { analyze } from './analyze.ts';
import { consume } from './consume.ts';
import { copy } from './copy.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { describe } from './describe.ts';
import { describeStorage } from './describe-storage.ts';
import { electLeaders } from './elect-leaders.ts';
import { find } from './find.ts';
import { list } from './list.ts';
import { produce } from './produce.ts';
import { reassign } from './reassign/index.ts';
import { redrive } from './redrive.ts';
import { search } from './search.ts';
import { setConfig } from './set-config.ts';
import { trimPrefix } from './trim-prefix.ts';

/** `topic` */
export const topic = noun({
  summary: 'Manage topics; produce, consume, search and copy records',
  groups: {
    Records: {
      produce,
      consume,
      search,
      copy,
      redrive,
      find,
      analyze,
      'trim-prefix': trimPrefix,
    },
    Topics: {
      create,
      list,
      describe,
      'describe-storage': describeStorage,
      delete: deleteCommand,
    },
    Configs: {
      'alter-config': alterConfig,
      'set-config': setConfig,
    },
    Partitions: {
      'add-partitions': addPartitions,
      reassign,
      'elect-leaders': electLeaders,
    },
  },
});
