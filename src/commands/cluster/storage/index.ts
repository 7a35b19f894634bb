import { noun } from '../../../cli/command.ts';
import { cancelMount } from './cancel-mount.ts';
import { listMount } from './list-mount.ts';
import { listMountable } from './list-mountable.ts';
import { mount } from './mount.ts';
import { restore } from './restore/index.ts';
import { statusMount } from './status-mount.ts';
import { unmount } from './unmount.ts';

/** `cluster storage` */
export const storage = noun({
  summary: 'Mount topics from object storage, unmount them, and restore a whole cluster',
  commands: {
    'list-mountable': listMountable,
    mount,
    unmount,
    'list-mount': listMount,
    'status-mount': statusMount,
    'cancel-mount': cancelMount,
    restore,
  },
});
