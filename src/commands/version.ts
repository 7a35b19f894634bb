import { command } from '../cli/command.ts';
import { pairs } from '../format/table.ts';
import { row, string } from '../shape/shape.ts';
import { version as weirVersion } from '../version.ts';

/** `weir version` */
export const version = command({
  summary: 'Show the versions of weir, Node.js and the operating system',
  examples: [
    ['For a bug report', 'version'],
    ['The same as data', 'version --format json'],
  ],
  changes: 'reads',
  result: row({ version: string, node_version: string, os: string, arch: string }),
  run: ({ host }) => ({
    version: weirVersion,
    node_version: host.runtime.node,
    os: host.platform,
    arch: host.runtime.arch,
  }),
  show: {
    text: ({ version, node_version, os, arch }, view) =>
      pairs(
        [
          ['Version:', version],
          ['Node version:', node_version],
          ['OS/Arch:', `${os}/${arch}`],
        ],
        view,
      ),
  },
});
