import { noun } from '../../../cli/command.ts';
import { cancel } from './cancel.ts';
import { download } from './download.ts';
import { start } from './start.ts';
import { status } from './status.ts';

/** `debug remote-bundle` */
export const remoteBundle = noun({
  summary: 'Collect a debug bundle on every broker, and download it',
  commands: { start, status, download, cancel },
});
