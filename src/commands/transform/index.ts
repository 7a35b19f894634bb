import { noun } from '../../cli/command.ts';
import { remove } from './delete.ts';
import { deploy } from './deploy.ts';
import { list } from './list.ts';
import { logs } from './logs.ts';
import { pause, resume } from './pause.ts';
import { build, init } from './vendor.ts';

/** `transform` */
export const transform = noun({
  summary: 'Deploy and manage WebAssembly transforms; show their logs',
  aliases: ['wasm', 'transfrom'],
  commands: { list, deploy, pause, resume, delete: remove, logs, init, build },
});
