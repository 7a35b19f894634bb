import { usageError } from '../../errors.ts';

/** The addresses of Event Hubs namespaces, in each of the clouds. */
const ofEventHubs = /\.servicebus\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)$/i;

/**
 * What a token for a broker is for. A token for a namespace of Event Hubs is of no use elsewhere; for any other address,
 * somebody must have decided what it may get.
 * @throws CliError (exit 2) if neither the address nor the option says it
 */
export function scopeFor(host: string, option: string): string {
  if (option !== '') return option;
  const name = host.toLowerCase().replace(/\.$/, '');
  if (ofEventHubs.test(name)) return `https://${name}/.default`;
  throw usageError(`unable to sign in to ${host} with an Azure identity: it is not an address of Event Hubs`, {
    code: 'NOT_OF_AZURE',
    target: 'oauth.scope',
    hints: [
      'if a token of yours may go there, say what for: -X oauth.scope=https://NAMESPACE.servicebus.windows.net/.default',
      'whoever answers there could use the token as you until it expires',
    ],
  });
}
