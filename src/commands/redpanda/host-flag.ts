import { flag } from '../../cli/command.ts';
import { text } from '../../kinds.ts';

/** The flag that names the node. */
export const hostFlag = flag(
  { ...text, name: 'host', hint: 'HOST' },
  { help: 'the node: an address in admin.hosts, or its place there, from 0', required: true },
);
