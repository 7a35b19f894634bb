import { noun } from '../../../cli/command.ts';
import { install } from './install.ts';
import { providerNoun } from './provider.ts';
import { uninstall } from './uninstall.ts';

/** `cloud byoc` */
export const byoc = noun({
  summary: 'Run the plugin that manages a cluster in your own cloud account',
  commands: {
    aws: providerNoun('aws'),
    azure: providerNoun('azure'),
    gcp: providerNoun('gcp'),
    install,
    uninstall,
  },
});
